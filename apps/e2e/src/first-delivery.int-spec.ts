import { readFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { call, eventsOf, makeWorkspace, post, subscribe, Tieline } from './tieline.js';

let tieline: Tieline;

beforeEach(async () => {
  tieline = await Tieline.create();
});
afterEach(() => tieline?.close());

test('a bot posts a message and a subscribed receiver gets the signed event', async () => {
  const api = await tieline.start('api');
  const worker = await tieline.start('worker');
  const receiver = await tieline.receiver();
  const workspace = await makeWorkspace(api);
  const { id, secret } = await subscribe(api, workspace, `${receiver.url}/hook`);
  const messageId = await post(api, workspace, 'Deployed **v1.2** 🚀');

  const [request] = await receiver.waitFor(1);
  const body = request?.body ?? Buffer.alloc(0);
  const headers = request?.headers as Record<string, string>;
  expect(eventsOf(receiver)[0]).toMatchObject({
    event_type: 'MESSAGE_CREATED',
    space_id: workspace.spaceId,
    conversation_id: workspace.channels[0],
    actor_user_id: workspace.botId,
    schema_version: 1,
    data: { message_id: messageId, text: 'Deployed **v1.2** 🚀', msg_index: 1, author_id: workspace.botId },
  });
  const expected = createHmac('sha256', secret)
    .update(`v1:${headers['x-service-timestamp']}:`)
    .update(body)
    .digest('hex');
  expect(headers['x-service-signature']).toBe(`sha256=${expected}`);
  expect(headers).toMatchObject({
    'x-service-event': 'MESSAGE_CREATED',
    'x-service-webhook-version': '1',
    'x-service-attempt': '1',
    'content-type': 'application/json',
  });
  expect(() => new Webhook(secret).verify(body.toString('utf8'), headers)).not.toThrow();

  const { body: log } = await call(
    api,
    'GET',
    `/api/v1/admin/outgoing_webhooks/${id}/deliveries`,
    workspace.ownerToken,
  );
  expect(log.deliveries[0]).toMatchObject({
    delivery_id: headers['x-service-delivery-id'],
    event_type: 'MESSAGE_CREATED',
  });
  const shown = [...(await metricsOf(api)), ...(await metricsOf(worker))];
  expect([...new Set(shown)].sort()).toEqual(documentedMetrics().sort());
});

test('SIGTERM ends both processes, each with its work done', async () => {
  const receiver = await tieline.receiver();
  const api = await tieline.start('api');
  const worker = await tieline.start('worker');
  const workspace = await makeWorkspace(api);
  const { id } = await subscribe(api, workspace, receiver.url);
  receiver.respond({ status: 200, delayMs: 500 });
  await post(api, workspace, 'in flight while the worker stops');
  await receiver.waitFor(1);
  expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const { body } = await call(
    api,
    'GET',
    `/api/v1/admin/outgoing_webhooks/${id}/deliveries`,
    workspace.ownerToken,
  );
  expect(body.deliveries).toMatchObject([{ status: 'success', attempts: 1 }]);
  expect(await api.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

/** The names of ours that a process shows. */
async function metricsOf({ url }: { url: string }): Promise<string[]> {
  const text = await fetch(`${url}/metrics`).then((response) => response.text());
  return [...text.matchAll(/^# HELP (tieline_\w+) /gm)].map(([, name]) => name!);
}

/** The names in the table of docs/operating.md. */
function documentedMetrics(): string[] {
  const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| `(tieline_\w+)` \|/gm)].map(([, name]) => name!);
}

import { createHmac } from 'node:crypto';
import { eventually, EventStreamClient } from '@tieline/testing';
import type { AppProcess, ReceivedRequest } from '@tieline/testing';
import { call, expectOk, createWorkspace, Tieline } from './tieline.js';
import type { Workspace } from './tieline.js';

let tieline: Tieline;
let api: AppProcess;
let secondApi: AppProcess;
let worker: AppProcess;
beforeAll(async () => {
  tieline = await Tieline.create({
    RATE_POLL_PER_SECOND: '1000',
    DELIVERY_BACKOFF_INITIAL_MS: '100',
    DELIVERY_BACKOFF_MAX_MS: '500',
  });
  [api, secondApi, worker] = await Promise.all([
    tieline.start('api'),
    tieline.start('api'),
    tieline.start('worker'),
  ]);
});
afterAll(() => tieline?.close());

type Api = { url: string };

/** Creates another bot of the workspace with this delivery mode that subscribes to new messages. */
async function bot(
  api: Api,
  { ownerToken }: Workspace,
  settings: object,
): Promise<{ id: string; token: string; secret: string }> {
  const made = await expectOk(
    call(api, 'POST', '/api/v1/admin/bots', ownerToken, {
      display_name: 'listener',
      event_types: ['MESSAGE_CREATED'],
      ...settings,
    }),
  );
  return {
    id: made.bot.id as string,
    token: made.token as string,
    secret: made.webhook_signing_secret as string,
  };
}

const say = async (
  api: Api,
  { ownerToken, channels }: Workspace,
  text: string,
  conversationId = channels[0],
): Promise<string> =>
  (
    await expectOk(
      call(api, 'POST', `/api/v1/client/conversations/${conversationId}/messages`, ownerToken, { text }),
    )
  ).message_id as string;

/** Reads a bot's queue to its end. */
async function texts(api: Api, token: string): Promise<string[]> {
  const read: string[] = [];
  for (let cursor = ''; ;) {
    const { events, next_cursor: next } = await expectOk(
      call(api, 'GET', `/api/v1/bot/events?limit=7&cursor=${cursor}`, token),
    );
    if (next === '') return read;
    read.push(
      ...events.map(
        ({ payload_json: payload }: { payload_json: string }) =>
          (JSON.parse(payload) as { text: string }).text,
      ),
    );
    cursor = next as string;
  }
}

test('after kill -9 of the worker the queue has every event once and in order, and the webhook gets every event', async () => {
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(api);
  const polling = await bot(api, workspace, { event_delivery_mode: 'poll' });
  await bot(api, workspace, { event_delivery_mode: 'webhook', webhook_url: `${receiver.url}/bot` });
  for (let n = 0; n < 90; n += 1) {
    await say(api, workspace, String(n));
    if (n % 30 !== 15) continue;
    await worker.kill('SIGKILL');
    worker = await tieline.start('worker');
  }
  const all = Array.from({ length: 90 }, (_none, n) => String(n));
  await eventually(async () => expect(await texts(api, polling.token)).toEqual(all), {
    timeoutMs: 30_000,
    everyMs: 200,
  });
  const pushed = (): Set<string> =>
    new Set(
      receiver.requests.map(
        ({ body }) => (JSON.parse(body.toString()) as { data: { text: string } }).data.text,
      ),
    );
  await eventually(() => expect(pushed()).toEqual(new Set(all)), { timeoutMs: 30_000 });
});

test('a long poll at one api receives what was posted at another', async () => {
  const workspace = await createWorkspace(api);
  const polling = await bot(api, workspace, { event_delivery_mode: 'poll' });
  await say(secondApi, workspace, 'before');
  const { next_cursor: cursor } = await expectOk(
    call(api, 'GET', '/api/v1/bot/events?wait=20', polling.token),
  );
  const waiting = expectOk(call(api, 'GET', `/api/v1/bot/events?wait=25&cursor=${cursor}`, polling.token));
  const begun = performance.now();
  await say(secondApi, workspace, 'after');
  expect((await waiting).events).toHaveLength(1);
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test('admins see pushes with their signatures and can repeat them while the bot is in webhook mode', async () => {
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(api);
  const pushed = await bot(api, workspace, {
    event_delivery_mode: 'webhook',
    webhook_url: `${receiver.url}/bot`,
  });
  const admin = (method: string, path: string, body?: object) =>
    call(api, method, `/api/v1/admin/${path}`, workspace.ownerToken, body);
  await say(api, workspace, 'hello');
  const [request] = (await receiver.waitFor(1)) as [ReceivedRequest];
  const signature = `v1=${createHmac('sha256', pushed.secret)
    .update(`${String(request.headers['x-service-timestamp'])}.`)
    .update(request.body)
    .digest('hex')}`;
  expect(request.headers['x-service-signature']).toBe(signature);
  await eventually(async () =>
    expect((await admin('GET', `bots/${pushed.id}/deliveries`)).body.deliveries).toMatchObject([
      { status: 'success', attempts: 1 },
    ]),
  );
  const [{ delivery_id: id }] = (await admin('GET', `bots/${pushed.id}/deliveries`)).body.deliveries as [
    { delivery_id: string },
  ];
  const detail = await admin('GET', `deliveries/${id}`);
  expect(detail.body.delivery.request).toMatchObject({
    headers: { 'X-Service-Signature': signature, 'X-Service-Attempt': '1', 'webhook-id': id },
    body: request.body.toString(),
  });
  expect(JSON.stringify(detail.body)).not.toContain(pushed.secret);

  const again = await admin('POST', `deliveries/${id}/redeliver`);
  expect(again).toMatchObject({
    status: 200,
    body: { ok: true, delivery_id: expect.not.stringMatching(id) },
  });
  const [, second] = (await receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
  expect(second.body.equals(request.body)).toBe(true);
  expect(second.headers['webhook-id']).toBe(again.body.delivery_id);
  await expectOk(admin('PATCH', `bots/${pushed.id}`, { event_delivery_mode: 'none' }));
  expect((await admin('POST', `deliveries/${id}/redeliver`)).status).toBe(409);
});

test('after kill -9 of the api with a DM stream the bot gets the rest from the other one', async () => {
  const workspace = await createWorkspace(secondApi);
  const { conversation_id: dm } = await expectOk(
    call(secondApi, 'POST', '/api/v1/client/dm', workspace.ownerToken, { user_id: workspace.botId }),
  );
  const stream = await EventStreamClient.open(`${api.url}/api/v1/bot/stream`, workspace.botToken);
  await say(secondApi, workspace, 'heard', dm as string);
  await stream.until(({ events }) => events.length === 1);
  // Acknowledged before the process is killed; otherwise it may arrive again.
  await eventually(
    async () => ((await tieline.sql.query('SELECT 1 FROM dm_inbox_positions')).rowCount ?? 0) > 0,
  );
  await api.kill('SIGKILL');
  await stream.until(({ ended }) => ended);
  await say(secondApi, workspace, 'while away', dm as string);
  const again = await EventStreamClient.open(`${secondApi.url}/api/v1/bot/stream`, workspace.botToken);
  await say(secondApi, workspace, 'back again', dm as string);
  await again.until(({ events }) => events.length === 2);
  expect(again.events.map(({ text }) => text)).toEqual(['while away', 'back again']);
  again.close();
});

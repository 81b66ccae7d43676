import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { eventually } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { call, eventsOf, expectOk, createWorkspace, post, subscribe, Tieline } from './tieline.js';

const TRACING = new URL('../../../docker/tracing.mjs', import.meta.url);

let tieline: Tieline;

// Runs the built programs themselves, not the bundle of the other tests.
beforeAll(() => void delete process.env.TIELINE_TEST_PROGRAMS);
beforeEach(async () => {
  tieline = await Tieline.create();
});
afterEach(() => tieline?.close());

test('a bot posts a message and a subscribed receiver gets the signed event', async () => {
  const [api, worker] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(api);
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
  const again = `/api/v1/admin/deliveries/${headers['x-service-delivery-id']}/redeliver`;
  await expectOk(call(api, 'POST', again, workspace.ownerToken));
  await receiver.waitFor(2);
  // Attempts are counted after they end, and deliveries end when the result is stored.
  const [ofApi, ofWorker] = await eventually(async () => {
    const scraped = [await scrape(api), await scrape(worker)] as const;
    expect(scraped[1]).toContain('tieline_deliveries_total{kind="outgoing",outcome="delivered"} 2\n');
    expect(scraped[1]).toContain('tieline_deliveries_pending{lane="first"} 0\n');
    return scraped;
  });
  expect(ofWorker).toContain('tieline_delivery_latency_seconds_count{kind="outgoing",attempt="first"} 1\n');
  expect(ofApi).toMatch(/^tieline_build_info\{version="\S+",process="api",node="v\d+\S+"\} 1$/m);
  const documented = documentedMetrics();
  expect(typesOf(ofApi + ofWorker)).toEqual(typesOf(documented));
  expect(undocumentedLabels(ofApi + ofWorker, documented)).toEqual([]);
});

test('SIGTERM ends both processes after they finished their work and exported their spans', async () => {
  const [receiver, collector] = [await tieline.receiver(), await tieline.receiver()];
  const traced = { NODE_OPTIONS: `--import=${TRACING.href}`, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const [api, worker] = await Promise.all([tieline.start('api', traced), tieline.start('worker', traced)]);
  const workspace = await createWorkspace(api);
  const { id } = await subscribe(api, workspace, receiver.url);
  receiver.respond({ status: 200, delayMs: 500 });
  await post(api, workspace, 'in flight while the worker stops');
  const [request] = await receiver.waitFor(1);
  expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const { body } = await call(
    api,
    'GET',
    `/api/v1/admin/outgoing_webhooks/${id}/deliveries`,
    workspace.ownerToken,
  );
  expect(body.deliveries).toMatchObject([{ status: 'success', attempts: 1 }]);
  expect(await api.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const [, traceId] = String(request?.headers['traceparent']).split('-');
  expect(spansAt(collector, traceId).sort()).toEqual([
    'tieline-api: POST /api/v1/bot/messages',
    'tieline-worker: deliver outgoing',
    'tieline-worker: plan events',
  ]);
});

test('a worker runs without hooks for promises', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieline-hooks-'));
  const file = join(folder, 'marks');
  // While hooks are active, Node.js marks every promise.
  const probe = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(process.env.MARKS_FILE,
      String(Object.getOwnPropertySymbols(Promise.resolve()).length)));`;
  const probed = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(probe)}`,
    MARKS_FILE: file,
  };
  try {
    const [api, worker] = await Promise.all([tieline.start('api'), tieline.start('worker', probed)]);
    const [receiver, workspace] = [await tieline.receiver(), await createWorkspace(api)];
    await subscribe(api, workspace, receiver.url);
    await post(api, workspace, 'sent without hooks');
    await receiver.waitFor(1);
    await scrape(worker);
    await worker.kill('SIGTERM');
    expect(readFileSync(file, 'utf8')).toBe('0');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Returns the spans of a trace received by a collector, each with its program. */
function spansAt(collector: Receiver, traceId: string | undefined): string[] {
  const sent = collector.requests.flatMap(({ body }) => JSON.parse(body.toString()).resourceSpans);
  return sent.flatMap(({ resource, scopeSpans }) => {
    const { value } = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
    const spans: { traceId: string; name: string }[] = scopeSpans.flatMap(
      (scope: { spans: unknown[] }) => scope.spans,
    );
    return spans
      .filter((span) => span.traceId === traceId)
      .map(({ name }) => `${value.stringValue}: ${name}`);
  });
}

const scrape = ({ url }: { url: string }): Promise<string> =>
  fetch(`${url}/metrics`).then((response) => response.text());

/** Returns our metrics in a scrape, by name and type. */
const typesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^# TYPE (tieline_\w+) (\w+)$/gm)]
      .map(([, name, type]) => [name!, type!] as const)
      .sort(),
  );

/** Returns series of a scrape with undocumented labels. */
function undocumentedLabels(text: string, documented: string): string[] {
  const labels = new Map([...documented.matchAll(/^(\w+)\{(.*)\}$/gm)].map(([, name, list]) => [name, list]));
  return [...text.matchAll(/^(tieline_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm)]
    .filter(([, name, list = '']) => {
      const shown = [...list.matchAll(/(\w+)="/g)]
        .map(([, label]) => label)
        .filter((label) => label !== 'le');
      return shown.sort().join() !== labels.get(name)?.split(', ').sort().join();
    })
    .map(([series]) => series);
}

/** Returns the table of docs/monitor.md in scrape format: types, and labels in braces. */
function documentedMetrics(): string {
  const page = readFileSync(new URL('../../../docs/monitor.md', import.meta.url), 'utf8');
  const rows = page
    .replace(/ {2,}/g, ' ')
    .matchAll(/^\| `(tieline_\w+)` \| (\w+)(?:: ([\w, ]+?))?(?:, global)?(?: \(worker\))? \|/gm);
  return [...rows]
    .map(([, name, type, labels = '']) => `# TYPE ${name} ${type}\n${name}{${labels}}\n`)
    .join('');
}

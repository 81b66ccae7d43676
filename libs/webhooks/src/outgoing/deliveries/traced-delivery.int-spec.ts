import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { PLAN_LOCK, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness } from '../testing/outgoing-harness.js';

const exporter = new InMemorySpanExporter();
let harness: OutgoingHarness;

// Like docker/tracing.mjs, before the program is loaded.
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
  harness = await startOutgoingHarness();
});
beforeEach(() => exporter.reset());
afterEach(() => harness.clear());
afterAll(async () => {
  await harness?.close();
  for (const api of [context, propagation, trace]) api.disable();
});

const spansOf = (traceId: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
const named = (spans: ReadableSpan[], name: string): ReadableSpan[] =>
  spans.filter((span) => span.name === name);

/** Resolves with these spans once there are `count`. They end after the rows are committed. */
async function finished(count: number, spans: () => ReadableSpan[]): Promise<ReadableSpan[]> {
  await eventually(() => expect(spans()).toHaveLength(count));
  return spans();
}

/** Runs `work` as a request of a traced caller. */
async function asRequest<T>(name: string, work: () => Promise<T>): Promise<{ traceId: string; result: T }> {
  const span = trace.getTracer('test').startSpan(name);
  const result = await context.with(trace.setSpan(context.active(), span), work);
  span.end();
  return { traceId: span.spanContext().traceId, result };
}

/** Runs `work` while the relay is blocked, so that it plans everything in one batch. */
const whilePlanningRests = <T>(work: () => Promise<T>): Promise<T> =>
  runInWorkerTx(harness.api.db, async (tx) => {
    await mayIdle(tx);
    await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
    return work();
  });

test('one trace covers request, outbox, queue and receiver, with a span for each attempt', async () => {
  const { id, receiver } = await harness.subscribe();
  let failures = 1;
  receiver.respond(() => (failures-- > 0 ? 500 : 200));
  const channel = await harness.channel();
  const { traceId } = await asRequest('post', () => harness.post(channel, 'traced'));
  const [first, second] = await receiver.waitFor(2);
  await harness.sent(id);
  const attempts = await finished(2, () => named(spansOf(traceId), 'deliver outgoing'));
  expect(
    attempts.map(({ kind, attributes }) => [
      kind,
      attributes['tieline.attempt'],
      attributes['http.response.status_code'],
      attributes['tieline.outcome'],
    ]),
  ).toEqual([
    [SpanKind.CLIENT, 1, 500, 'retry'],
    [SpanKind.CLIENT, 2, 200, 'delivered'],
  ]);
  expect([first, second].map((request) => request?.headers['traceparent'])).toEqual(
    attempts.map((span) => `00-${traceId}-${span.spanContext().spanId}-01`),
  );
  const [post] = named(spansOf(traceId), 'post');
  for (const span of [...attempts, ...named(spansOf(traceId), 'plan events')])
    expect(span.parentSpanContext?.spanId).toBe(post?.spanContext().spanId);
});

test('a batch is planned in one span linked to each trace, and each delivery continues its own trace', async () => {
  const { id, receiver } = await harness.subscribe();
  const channels = [await harness.channel(), await harness.channel()];
  await harness.planned();
  const requests = await whilePlanningRests(async () => {
    const one = await asRequest('one', () => harness.post(channels[0]!, 'one'));
    await harness.post(channels[1]!, 'untraced');
    return [one, await asRequest('two', () => harness.post(channels[1]!, 'two'))];
  });
  await receiver.waitFor(3);
  await harness.sent(id);
  const batch = named(exporter.getFinishedSpans(), 'plan events').at(-1);
  expect(batch?.links.map((link) => link.context.traceId)).toEqual(requests.map(({ traceId }) => traceId));
  for (const { traceId } of requests) await finished(1, () => named(spansOf(traceId), 'deliver outgoing'));
  expect(receiver.requests.filter(({ headers }) => headers['traceparent'] === undefined)).toHaveLength(1);
});

test("a request gets a span named by its route in the caller's trace, health checks get none", async () => {
  const { id, receiver } = await harness.subscribe();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = {
    authorization: `Bearer ${harness.admin.token}`,
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  };
  await fetch(`${harness.api.url}/metrics`, { headers });
  await fetch(`${harness.api.url}/api/v1/admin/outgoing_webhooks/${id}/test`, { method: 'POST', headers });
  await harness.sent(id);
  await eventually(
    () => named(spansOf(traceId), 'POST /api/v1/admin/outgoing_webhooks/:id/test').length === 1,
  );
  const [server] = named(spansOf(traceId), 'POST /api/v1/admin/outgoing_webhooks/:id/test');
  expect(server).toMatchObject({
    kind: SpanKind.SERVER,
    parentSpanContext: { spanId: 'b7ad6b7169203331' },
    attributes: { 'http.response.status_code': 200 },
  });
  const [attempt] = await finished(1, () => named(spansOf(traceId), 'deliver outgoing'));
  expect(attempt?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
  expect(receiver.requests[0]?.headers['traceparent']).toContain(traceId);
  expect(spansOf(traceId)).toHaveLength(2);
});

test('untraced requests start no trace and store nothing', async () => {
  const { id, receiver } = await harness.subscribe();
  const channel = await harness.channel();
  await harness.planned();
  exporter.reset();
  const kept = await whilePlanningRests(async () => {
    await harness.post(channel, 'untraced');
    return readRows<{ traceparent: string | null }>(harness.api.db, 'SELECT traceparent FROM outbox');
  });
  expect(kept).toEqual([{ traceparent: null }]);
  const [request] = await receiver.waitFor(1);
  await harness.sent(id);
  expect(request?.headers['traceparent']).toBeUndefined();
  const ofServer = exporter.getFinishedSpans().filter(({ kind }) => kind !== SpanKind.SERVER);
  expect(ofServer.map(({ name }) => name)).toEqual([]);
});

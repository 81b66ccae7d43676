import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { eventually, readRows } from '@tieline/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { PLAN_LOCK, startRig } from '../testing/outgoing-rig.js';
import type { Rig } from '../testing/outgoing-rig.js';

const exporter = new InMemorySpanExporter();
let rig: Rig;

// As docker/tracing.mjs does before the program is loaded.
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
  rig = await startRig();
});
beforeEach(() => exporter.reset());
afterEach(() => rig.clear());
afterAll(async () => {
  await rig?.close();
  for (const api of [context, propagation, trace]) api.disable();
});

const spansOf = (traceId: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
const named = (spans: ReadableSpan[], name: string): ReadableSpan[] =>
  spans.filter((span) => span.name === name);

/** Does work as a request of somebody who traces would. */
async function asRequest<T>(name: string, work: () => Promise<T>): Promise<{ traceId: string; result: T }> {
  const span = trace.getTracer('test').startSpan(name);
  const result = await context.with(trace.setSpan(context.active(), span), work);
  span.end();
  return { traceId: span.spanContext().traceId, result };
}

/** Does work while the relay waits, so that it plans all of it together. */
const whilePlanningRests = <T>(work: () => Promise<T>): Promise<T> =>
  runInWorkerTx(rig.api.db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
    return work();
  });

test('one trace from the request to the receiver, through outbox and queue, with a span for each attempt', async () => {
  const { id, receiver } = await rig.subscribe();
  let failures = 1;
  receiver.respond(() => (failures-- > 0 ? 500 : 200));
  const channel = await rig.channel();
  const { traceId } = await asRequest('post', () => rig.post(channel, 'traced'));
  const [first, second] = await receiver.waitFor(2);
  await rig.sent(id);
  const attempts = named(spansOf(traceId), 'deliver outgoing');
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

test('a batch is planned in one span with a link to each trace, and what follows goes on in its own', async () => {
  const { id, receiver } = await rig.subscribe();
  const channels = [await rig.channel(), await rig.channel()];
  await rig.planned();
  const requests = await whilePlanningRests(async () => {
    const one = await asRequest('one', () => rig.post(channels[0]!, 'one'));
    await rig.post(channels[1]!, 'untraced');
    return [one, await asRequest('two', () => rig.post(channels[1]!, 'two'))];
  });
  await receiver.waitFor(3);
  await rig.sent(id);
  const batch = named(exporter.getFinishedSpans(), 'plan events').at(-1);
  expect(batch?.links.map((link) => link.context.traceId)).toEqual(requests.map(({ traceId }) => traceId));
  for (const { traceId } of requests) expect(named(spansOf(traceId), 'deliver outgoing')).toHaveLength(1);
  expect(receiver.requests.filter(({ headers }) => headers['traceparent'] === undefined)).toHaveLength(1);
});

test('a request is a span by its route, in the trace of whoever calls; machines that look in are none', async () => {
  const { id, receiver } = await rig.subscribe();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = {
    authorization: `Bearer ${rig.admin.token}`,
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  };
  await fetch(`${rig.api.url}/metrics`, { headers });
  await fetch(`${rig.api.url}/api/v1/admin/outgoing_webhooks/${id}/test`, { method: 'POST', headers });
  await rig.sent(id);
  await eventually(
    () => named(spansOf(traceId), 'POST /api/v1/admin/outgoing_webhooks/:id/test').length === 1,
  );
  const [server] = named(spansOf(traceId), 'POST /api/v1/admin/outgoing_webhooks/:id/test');
  expect(server).toMatchObject({
    kind: SpanKind.SERVER,
    parentSpanContext: { spanId: 'b7ad6b7169203331' },
    attributes: { 'http.response.status_code': 200 },
  });
  const [attempt] = named(spansOf(traceId), 'deliver outgoing');
  expect(attempt?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
  expect(receiver.requests[0]?.headers['traceparent']).toContain(traceId);
  expect(spansOf(traceId)).toHaveLength(2);
});

test('nothing begins a trace by itself, and of what nobody traces nothing is written', async () => {
  const { id, receiver } = await rig.subscribe();
  const channel = await rig.channel();
  await rig.planned();
  exporter.reset();
  const kept = await whilePlanningRests(async () => {
    await rig.post(channel, 'untraced');
    return readRows<{ traceparent: string | null }>(rig.api.db, 'SELECT traceparent FROM outbox');
  });
  expect(kept).toEqual([{ traceparent: null }]);
  const [request] = await receiver.waitFor(1);
  await rig.sent(id);
  expect(request?.headers['traceparent']).toBeUndefined();
  const ofServer = exporter.getFinishedSpans().filter(({ kind }) => kind !== SpanKind.SERVER);
  expect(ofServer.map(({ name }) => name)).toEqual([]);
});

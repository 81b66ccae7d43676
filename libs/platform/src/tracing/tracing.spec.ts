import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { endTraces, tracer } from './tracing.js';

let collector: Receiver;

beforeAll(async () => {
  collector = await startReceiver();
});
afterAll(async () => {
  trace.disable();
  await collector?.close();
});

test('a process does not end while spans are on their way to the collector', async () => {
  let answer = (): void => undefined;
  const order: string[] = [];
  collector.respond(async () => {
    await new Promise<void>((done) => (answer = done));
    order.push('answered');
    return 200;
  });
  const exporter = new OTLPTraceExporter({ url: collector.url });
  const spanProcessors = [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1 })];
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
  tracer().startSpan('plan events').end();
  await collector.waitFor(1);
  const ended = endTraces().then(() => order.push('ended'));
  await new Promise(setImmediate);
  answer();
  await ended;
  expect(order).toEqual(['answered', 'ended']);
});

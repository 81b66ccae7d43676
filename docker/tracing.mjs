/**
 * Starts OpenTelemetry traces: `node --import ./docker/tracing.mjs apps/api/dist/main.js`
 * (docs/monitor.md#traces). Loads nothing unless OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set.
 */
const { env } = process;
const isWanted =
  (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT) &&
  env.OTEL_SDK_DISABLED !== 'true';

/** Returns OTEL_SERVICE_NAME, or a name derived from the folder of the main file. */
function serviceName() {
  const [, program] = /apps[\\/](\w+)[\\/]dist/.exec(process.argv[1] ?? '') ?? [];
  return env.OTEL_SERVICE_NAME || (program ? `tieline-${program}` : 'tieline');
}

/**
 * Returns the sampler that the environment selects.
 * @throws Error for an unknown sampler, because recording every request would be worse than not
 * starting
 */
function samplerOf({ AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler }) {
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1);
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const root = roots[name.replace(/^parentbased_/, '')];
  if (!root) throw new Error(`OTEL_TRACES_SAMPLER: ${name} is not supported`);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root: root() }) : root();
}

async function start() {
  const { context, propagation, trace } = await import('@opentelemetry/api');
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources');
  const sdk = await import('@opentelemetry/sdk-trace');
  const resource = defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': serviceName() }));
  const processor = new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new sdk.TracerProvider({ resource, sampler: samplerOf(sdk), spanProcessors: [processor] }),
  );
}

if (isWanted) await start();

export { RequestTraces } from './request-traces.js';
export { endTraces, inTrace, isTracing, originOf, planTraced, spanned, traceparent } from './tracing.js';
export type { SpanFacts, TracedWork } from './tracing.js';

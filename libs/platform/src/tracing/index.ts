export { RequestTraces } from './request-traces.js';
export { endTraces, inTrace, originOf, planTraced, spanned, traceparent } from './tracing.js';
export type { SpanFacts } from './tracing.js';

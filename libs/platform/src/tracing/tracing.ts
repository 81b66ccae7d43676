import {
  context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import type { Attributes, Context, Span, SpanContext } from '@opentelemetry/api';
import { VERSION } from '../config/index.js';

/*
 * Traces, for processes that were started with OpenTelemetry's SDK (docs/monitor.md#traces).
 * Without it everything here does nothing: the API has stand-ins that keep no context, so nobody is
 * ever inside a trace. Only a request begins one; whatever else happens has a span when it belongs
 * to a trace already.
 */

/** The W3C header, and what is kept of a trace while its work waits in the database. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Which trace each event of a batch belongs to. */
const ORIGINS = createContextKey('tieline origins of events');
const FLUSH_MS = 1_000;

/** What a span is called and what it says; never texts, tokens or addresses. */
export interface SpanFacts {
  name: string;
  attributes: Attributes;
}

/** Inside a span. */
export interface Traced {
  /** To be sent with a request to somebody else; empty without a span. */
  readonly headers: Readonly<Record<string, string>>;
  /** Adds what is known later; `failed` says that the work went wrong. */
  tell(attributes: Attributes, failed?: boolean): void;
}

/** The tracer of this process; asked for afresh, since tests come and go. */
export const tracer = (): ReturnType<typeof trace.getTracer> => trace.getTracer('tieline', VERSION);

/** Whether this process was started with tracing. */
export function isTracing(): boolean {
  const probe = createContextKey('tieline probe');
  return context.with(ROOT_CONTEXT.setValue(probe, true), () => context.active().getValue(probe) === true);
}

/**
 * The trace that the caller's work belongs to, as the `traceparent` header says it; undefined when
 * none is recorded.
 */
export function traceparent(): string | undefined {
  const span = trace.getActiveSpan();
  return span && written(span.spanContext());
}

/**
 * Does work in the trace that it was asked for in, perhaps by another process; just does it without
 * one.
 */
export function inTrace<T>(origin: string | undefined, work: () => T): T {
  const parent = origin === undefined ? undefined : read(origin);
  return parent ? context.with(trace.setSpanContext(ROOT_CONTEXT, parent), work) : work();
}

const UNTRACED: Traced = { headers: {}, tell: () => undefined };

/**
 * Does work in a span of the caller's trace, that of a request to somebody else; just does it when
 * there is none.
 */
export async function spanned<T>(facts: () => SpanFacts, work: (traced: Traced) => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()) return work(UNTRACED);
  const { name, attributes } = facts();
  const parent = context.active();
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  return within(span, parent, () => work(tracedBy(span)));
}

/**
 * Plans a batch of events, each of which may belong to a trace: what is planned inside goes on in
 * the trace of its own event ({@link originOf}). The planning itself is one span, in the first of
 * these traces and linked to all.
 */
export async function planTraced<T>(
  events: readonly { event_id: string; traceparent: string | null }[],
  work: () => Promise<T>,
): Promise<T> {
  const origins = new Map<string, string>();
  for (const { event_id: id, traceparent: origin } of events) if (origin !== null) origins.set(id, origin);
  const contexts = [...origins.values()].flatMap((origin) => read(origin) ?? []);
  const [first] = contexts;
  if (!first) return work();
  const parent = trace.setSpanContext(ROOT_CONTEXT, first).setValue(ORIGINS, origins);
  const links = contexts.map((one) => ({ context: one }));
  const attributes = { 'messaging.batch.message_count': events.length };
  const span = tracer().startSpan('plan events', { kind: SpanKind.CONSUMER, attributes, links }, parent);
  return within(span, parent, work);
}

/**
 * The trace that goes on with what follows from an event: the event's own in a batch, else that of
 * the caller's work.
 */
export function originOf(eventId: string): string | undefined {
  const origins = context.active().getValue(ORIGINS) as ReadonlyMap<string, string> | undefined;
  return origins ? origins.get(eventId) : traceparent();
}

/** Hands over what was recorded, within a second: the process is about to end. */
export async function flushTraces(): Promise<void> {
  // Without the SDK a stand-in stands here, which has nothing to hand over.
  const holder = trace.getTracerProvider() as { getDelegate?(): { forceFlush?(): Promise<void> } };
  const flushed = holder.getDelegate?.().forceFlush?.();
  if (!flushed) return;
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
  await Promise.race([flushed.catch(() => undefined), enough]);
  clearTimeout(timer);
}

async function within<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

function tracedBy(span: Span): Traced {
  const header = written(span.spanContext());
  return {
    headers: header === undefined ? {} : { traceparent: header },
    tell: (attributes, failed = false) => {
      span.setAttributes(attributes);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

/** Undefined for a trace that nobody records: then nothing is written of it either. */
function written({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : `00-${traceId}-${spanId}-01`;
}

function read(header: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

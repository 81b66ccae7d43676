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
import { doneWithin } from '@tieline/background';
import { VERSION } from '../config/index.js';

/*
 * Traces, for processes that were started with OpenTelemetry's SDK (docs/monitor.md#traces).
 * Without it everything here does nothing: the API's stubs keep no context, so no code ever runs
 * inside a trace. Only a request begins a trace; other work has a span if it already belongs to
 * one.
 */

/** The W3C header, which is also stored for work that waits in the database. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** The trace of each event of a batch. */
const ORIGINS = createContextKey('tieline origins of events');
const EXPORT_MS = 1_000;

/** Name and attributes of a span; never texts, tokens or addresses. */
export interface SpanFacts {
  name: string;
  attributes: Attributes;
}

/** Passed to work inside a span. */
export interface TracedWork {
  /** Headers for a request to another server; empty without a span. */
  readonly headers: Readonly<Record<string, string>>;
  /** Adds attributes that are known later; `failed` marks the work as failed. */
  tell(attributes: Attributes, failed?: boolean): void;
}

/** Returns the tracer of this process. Not cached, because tests replace it. */
export const tracer = (): ReturnType<typeof trace.getTracer> => trace.getTracer('tieline', VERSION);

/** Returns whether this process was started with tracing. */
export function isTracing(): boolean {
  const probe = createContextKey('tieline probe');
  return context.with(ROOT_CONTEXT.setValue(probe, true), () => context.active().getValue(probe) === true);
}

/** Returns the current trace as a `traceparent` header; undefined when none is recorded. */
export function traceparent(): string | undefined {
  const span = trace.getActiveSpan();
  return span && written(span.spanContext());
}

/**
 * Runs work in the trace of its origin, possibly from another process; without one, just runs it.
 */
export function inTrace<T>(origin: string | undefined, work: () => T): T {
  const parent = origin === undefined ? undefined : read(origin);
  return parent ? context.with(trace.setSpanContext(ROOT_CONTEXT, parent), work) : work();
}

const UNTRACED: TracedWork = { headers: {}, tell: () => undefined };

/** Runs work in a client span of the current trace; without one, just runs it. */
export async function spanned<T>(
  facts: () => SpanFacts,
  work: (traced: TracedWork) => Promise<T>,
): Promise<T> {
  if (!trace.getActiveSpan()) return work(UNTRACED);
  const { name, attributes } = facts();
  const parent = context.active();
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  return within(span, parent, () => work(tracedBy(span)));
}

/**
 * Plans a batch of events, each of which may belong to a trace: planned work continues the trace of
 * its event ({@link originOf}). The planning itself is one span, in the first of these traces and
 * linked to all.
 */
export async function planTraced<T>(
  events: readonly { eventId: string; traceparent: string | null }[],
  work: () => Promise<T>,
): Promise<T> {
  const origins = new Map<string, string>();
  for (const { eventId: id, traceparent: origin } of events) if (origin !== null) origins.set(id, origin);
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
 * Returns the trace of work that follows from an event: the event's own in a batch, else the
 * current one.
 */
export function originOf(eventId: string): string | undefined {
  const origins = context.active().getValue(ORIGINS) as ReadonlyMap<string, string> | undefined;
  return origins ? origins.get(eventId) : traceparent();
}

/**
 * Exports recorded spans within a second, before the process ends. Exports that are under way are
 * awaited too, which `forceFlush` does not do.
 */
export async function endTraces(): Promise<void> {
  // Without the SDK this is a stub without anything to export.
  const holder = trace.getTracerProvider() as { getDelegate?(): { shutdown?(): Promise<void> } };
  const exported = holder.getDelegate?.().shutdown?.();
  if (exported) await doneWithin(exported, EXPORT_MS).catch(() => undefined);
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

function tracedBy(span: Span): TracedWork {
  const header = written(span.spanContext());
  return {
    headers: header === undefined ? {} : { traceparent: header },
    tell: (attributes, failed = false) => {
      span.setAttributes(attributes);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

/** Returns undefined for a trace that is not recorded, so that nothing is stored about it. */
function written({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : `00-${traceId}-${spanId}-01`;
}

function read(header: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

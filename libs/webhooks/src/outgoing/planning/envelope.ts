import type { ContextMessage } from '@tieline/conversations';

/**
 * The envelope's `context`: `context_error` means that it could not be read and the event goes out
 * without it.
 */
export interface EventContext {
  messages: readonly ContextMessage[];
  context_error: boolean;
}

/** The same envelope with a `context` at its end; `data` is not serialised again. */
export function withContext(envelopeText: string, context: EventContext): string {
  return `${envelopeText.slice(0, -1)},"context":${JSON.stringify({ messages: context.messages, context_error: context.context_error })}}`;
}

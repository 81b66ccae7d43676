import type { ContextMessageView } from '@tieline/conversations';

/** `context` of the envelope. `context_error` means that it could not be read. */
export interface EventContext {
  messages: readonly ContextMessageView[];
  context_error: boolean;
}

/** Appends `context` to a serialized envelope without serializing `data` again. */
export function withContext(envelopeText: string, context: EventContext): string {
  return `${envelopeText.slice(0, -1)},"context":${JSON.stringify({ messages: context.messages, context_error: context.context_error })}}`;
}

import type { StreamContent } from '../streams/stream-content.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * A message as an app sent it. It is stored beside the message and returned unchanged. The
 * blocks that the console draws are derived from it.
 */
export interface MessageSource {
  readonly text: string;
  /** Marks the root message of a thread that was started for a person. */
  readonly subtype?: 'assistant_app_thread';
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
  readonly metadata?: { readonly event_type: string; readonly event_payload: Json };
  /** Present until the stream ends, if the message is a stream without a run. */
  readonly stream?: StreamContent;
}

/** Reads a stored source. */
export const sourceIn = (json: string | undefined): MessageSource | undefined =>
  json === undefined ? undefined : (JSON.parse(json) as MessageSource);

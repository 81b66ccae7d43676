import type { LiveEvent, LiveEvents } from '@tieline/live-stream';
import { appBlocksField } from '@tieline/conversations';
import { VisibleComponents } from '../schema/metadata-visibility.js';

/** A message that only one person sees, on their streams. It is not part of the history. */
export interface EphemeralMessage {
  spaceId: string;
  id: string;
  conversationId: string;
  botId: string;
  /** The person who sees the message. */
  userId: string;
  text: string;
  metadataJson: string | null;
  /** The message in the format of another product, unchanged. */
  sourceJson: string | null;
}

/**
 * Shows the message on the person's streams, or replaces it there. Call it after the commit. People
 * without an open stream never see it.
 */
export function showEphemeral(live: LiveEvents, message: EphemeralMessage): void {
  live.toPerson(message.spaceId, message.userId, ephemeralEvent(message));
}

/** Returns the stream event that shows the message. */
export function ephemeralEvent({
  conversationId,
  id,
  botId,
  text,
  metadataJson,
  sourceJson,
}: EphemeralMessage): LiveEvent {
  return {
    event: 'ephemeral',
    conversation_id: conversationId,
    message_id: id,
    bot_id: botId,
    text,
    ...(metadataJson !== null && { metadata_json: metadataJson }),
    ...appBlocksField(sourceJson),
  };
}

/** Returns the metadata as the person sees it, like the streams do. */
export function shownMetadata({ botId, userId, metadataJson }: EphemeralMessage): string | undefined {
  if (metadataJson === null) return undefined;
  const author = { author_id: botId, author_type: 'bot' as const };
  return new VisibleComponents().of(metadataJson, author)({ type: 'user', id: userId });
}

/** Returns the stream event that removes the message. */
export function ephemeralDeletedEvent({ conversationId, id, botId }: EphemeralMessage): LiveEvent {
  return {
    event: 'ephemeral',
    conversation_id: conversationId,
    message_id: id,
    bot_id: botId,
    text: '',
    deleted: true,
  };
}

import type { LiveEvent, LiveEvents } from '@tieline/conversations';
import { VisibleComponents } from '../schema/metadata-visibility.js';

/**
 * A message that one person sees on their streams, and that no history has (decisions, section
 * 11.4).
 */
export interface EphemeralMessage {
  spaceId: string;
  id: string;
  conversationId: string;
  botId: string;
  /** Who sees it. */
  userId: string;
  text: string;
  metadataJson: string | null;
}

/**
 * Shows it on the person's streams: for the first time, or in place of what it was. After the
 * commit; a person without an open stream never sees it.
 */
export function showEphemeral(live: LiveEvents, message: EphemeralMessage): void {
  live.toPerson(message.spaceId, message.userId, ephemeralEvent(message));
}

/** What the person's streams are told of it. */
export function ephemeralEvent({
  conversationId,
  id,
  botId,
  text,
  metadataJson,
}: EphemeralMessage): LiveEvent {
  return {
    event: 'ephemeral',
    conversation_id: conversationId,
    message_id: id,
    bot_id: botId,
    text,
    ...(metadataJson !== null && { metadata_json: metadataJson }),
  };
}

/** The metadata as the person sees it: streams do the same with what they are told. */
export function shownMetadata({ botId, userId, metadataJson }: EphemeralMessage): string | undefined {
  if (metadataJson === null) return undefined;
  const author = { author_id: botId, author_type: 'bot' as const };
  return new VisibleComponents().of(metadataJson, author)({ type: 'user', id: userId });
}

/** What the person's streams are told when the bot takes it back. */
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

import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { MemberType } from '../events/chat-event.js';
import type { MessageView } from '../events/shown-message.js';

/** Who looks at a message. */
export interface Viewer {
  type: MemberType;
  id: string;
}

/** What of one message's metadata a viewer may see; `undefined` when nothing is left. */
export type VisibleMetadata = (viewer: Viewer) => string | undefined;

/** The caller of a request, as a viewer. */
export function viewerOf(caller: BotPrincipal | UserPrincipal): Viewer {
  return caller.kind === 'bot' ? { type: 'bot', id: caller.botId } : { type: 'user', id: caller.userId };
}

/**
 * Decides which buttons and tokens of a message a person or bot may see (`visibility_user_ids`,
 * `signed_token`); the interactive lib supplies it.
 */
export abstract class MetadataVisibility {
  /** Reads a message's stored metadata once, for any number of viewers. */
  abstract of(metadataJson: string, message: Pick<MessageView, 'author_id' | 'author_type'>): VisibleMetadata;
}

/** The message as this viewer sees it, in history. */
export function messageFor(
  visibility: MetadataVisibility,
  message: MessageView,
  viewer: Viewer,
): MessageView {
  const { metadata_json: stored } = message;
  return stored === undefined ? message : withMetadata(message, visibility.of(stored, message)(viewer));
}

/** The message with only that part of its metadata. */
export function withMetadata<Shown extends MessageView>(message: Shown, visible: string | undefined): Shown {
  const { metadata_json: _, ...rest } = message;
  return { ...rest, ...(visible !== undefined && { metadata_json: visible }) } as Shown;
}

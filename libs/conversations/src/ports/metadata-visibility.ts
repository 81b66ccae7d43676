import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { MemberType } from '../actors.js';
import type { MessageView } from '../events/shown-message.js';

/** A person or bot that reads a message. */
export interface Viewer {
  type: MemberType;
  id: string;
}

/**
 * Returns the part of a message's metadata that a viewer may see, or `undefined` if nothing
 * remains.
 */
export type VisibleMetadata = (viewer: Viewer) => string | undefined;

/** Returns the caller of a request as a viewer. */
export function viewerOf(caller: BotPrincipal | UserPrincipal): Viewer {
  return caller.kind === 'bot' ? { type: 'bot', id: caller.botId } : { type: 'user', id: caller.userId };
}

/**
 * Decides which buttons and tokens of a message a person or bot may see (`visibility_user_ids`,
 * `signed_token`). Provided by the interactive lib.
 */
export abstract class MetadataVisibility {
  /** Parses a message's stored metadata once, for any number of viewers. */
  abstract of(metadataJson: string, message: Pick<MessageView, 'author_id' | 'author_type'>): VisibleMetadata;
}

/** Returns a message as this viewer sees it in history. */
export function messageFor(
  visibility: MetadataVisibility,
  message: MessageView,
  viewer: Viewer,
): MessageView {
  const { metadata_json: stored } = message;
  const shown = viewer.type === 'bot' ? withoutAppBlocks(message) : message;
  return stored === undefined ? shown : withMetadata(shown, visibility.of(stored, message)(viewer));
}

/** Returns a message as bots see it: its fields for them are fixed. */
export function withoutAppBlocks<Shown extends MessageView>(message: Shown): Shown {
  if (message.app_blocks === undefined) return message;
  const { app_blocks: _, ...rest } = message;
  return rest as Shown;
}

/** Returns the message with only the visible part of its metadata. */
export function withMetadata<Shown extends MessageView>(message: Shown, visible: string | undefined): Shown {
  const { metadata_json: _, ...rest } = message;
  return { ...rest, ...(visible !== undefined && { metadata_json: visible }) } as Shown;
}

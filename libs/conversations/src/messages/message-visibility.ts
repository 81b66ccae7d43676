import type { MemberType, MessageView } from '../events/chat-event.js';

/** Who looks at a message. */
export interface Viewer {
  type: MemberType;
  id: string;
}

/** Turns stored metadata into what this viewer may see of it; `undefined` when nothing is left. */
export type MetadataFilter = (
  metadataJson: string,
  message: MessageView,
  viewer: Viewer,
) => string | undefined;

let filter: MetadataFilter | undefined;

/**
 * The interactive lib, which sits above, registers what of a message's blocks a person or bot may see (buttons,
 * `visibility_user_ids`, `signed_token`). Called once, at module level. @throws Error when called twice
 */
export function registerMetadataFilter(metadataFilter: MetadataFilter): void {
  if (filter) throw new Error('a metadata filter is registered already');
  filter = metadataFilter;
}

/** The message as this viewer sees it: in history, and in every live stream. */
export function messageFor(message: MessageView, viewer: Viewer): MessageView {
  if (!filter || message.metadata_json === undefined) return message;
  const { metadata_json: stored, ...rest } = message;
  const visible = filter(stored, message, viewer);
  return visible === undefined ? rest : { ...rest, metadata_json: visible };
}

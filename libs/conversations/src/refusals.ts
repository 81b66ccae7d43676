/** Result of a write that was refused. Nothing was written. */
export interface Refusal<Reason extends string> {
  refused: Reason;
}

/** Why an author may not write to a conversation. */
export type SendingRefusal = 'unknown_conversation' | 'not_member' | 'archived';

/** Why a message was not posted. Each caller maps these to its own errors. */
export type MessageRefusal = SendingRefusal | 'unknown_parent';

/**
 * Why a message was not edited or deleted. `not_member`: the bot has left the conversation.
 * `guarded`: an agent run is
 * still writing it.
 */
export type EditRefusal = 'unknown_message' | 'not_author' | 'not_member' | 'deleted' | 'guarded';

/** Why a reaction was neither added nor removed. */
export type ReactionRefusal =
  'unknown_message' | 'not_member' | 'archived' | 'deleted' | 'too_many_reactions';

/** Why a message was neither pinned nor unpinned. */
export type PinRefusal = 'unknown_message' | 'not_member' | 'archived' | 'deleted' | 'too_many_pins';

/** Why a member could not be added. */
export type AddRefusal = 'unknown_conversation' | 'unsupported_type' | 'archived';

/** Why a member could not be removed, or a conversation not archived. */
export type ChangeRefusal = 'unknown_conversation' | 'unsupported_type';

import type { Queryable } from '@tieline/platform/database';

/**
 * A validated click on one of the product's own messages: membership, visibility, token and option
 * have been checked.
 */
export interface BuiltinClick {
  spaceId: string;
  userId: string;
  /** Conversation of the message; for a reply the conversation of its thread. */
  conversationId: string;
  messageId: string;
  actionId: string;
  /** The signed data; "" for selects. */
  data: string;
  /** The chosen value of a select. */
  selectedValue?: string;
}

/** Result for the person who clicked. */
export type BuiltinClickResult =
  | { result: 'noop' }
  | { result: 'update_message'; messageId: string }
  | { result: 'ephemeral'; ephemeralText: string };

/**
 * Handles clicks on the product's own messages (author_type `system`). A higher lib provides the
 * implementation, and a process that handles clicks does not start without one.
 */
export abstract class BuiltinClicks {
  /**
   * Returns whether the message has built-in buttons. A click on any other `system` message gets
   * 410.
   */
  abstract owns(q: Queryable, message: { spaceId: string; messageId: string }): Promise<boolean>;

  /**
   * Handles a click, outside any transaction. Repeated clicks are passed on too: the 60-second
   * window does not apply.
   * @throws ApiError, which is returned to the person unchanged (410 after a poll is closed)
   */
  abstract click(click: BuiltinClick): Promise<BuiltinClickResult>;
}

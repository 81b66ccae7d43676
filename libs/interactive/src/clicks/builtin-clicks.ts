import type { Queryable } from '@tieline/platform/database';

/**
 * A click on one of the product's own messages, with every check behind it: member, visibility,
 * token, option.
 */
export interface BuiltinClick {
  spaceId: string;
  userId: string;
  /** Where the message is; for a reply the conversation of its thread. */
  conversationId: string;
  messageId: string;
  actionId: string;
  /** As signed; "" for selects. */
  data: string;
  /** For selects: one of its values. */
  selectedValue?: string;
}

/** What the person gets at once. */
export type BuiltinClickResult =
  | { result: 'noop' }
  | { result: 'update_message'; messageId: string }
  | { result: 'ephemeral'; ephemeralText: string };

/**
 * The code behind the buttons of the product's own messages, those whose author_type is `system`
 * (decisions, section 5). A lib above supplies it; a process that answers clicks doesn't start
 * without.
 */
export abstract class BuiltinClicks {
  /**
   * Whether that message has buttons of the product; a click on any other `system` message is
   * answered 410.
   */
  abstract owns(q: Queryable, message: { spaceId: string; messageId: string }): Promise<boolean>;

  /**
   * Carries out a click, outside any transaction. Repeated clicks come through too: there is no 60
   * s window.
   * @throws ApiError, which the person gets unchanged (410 once a poll is closed)
   */
  abstract click(click: BuiltinClick): Promise<BuiltinClickResult>;
}

import type { Db, Queryable } from '@tieline/platform/database';

/** A click on one of the product's own messages, with every check behind it: member, visibility, token, option. */
export interface BuiltinClick {
  spaceId: string;
  userId: string;
  /** Where the message is: for one in a thread the thread's conversation. */
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

/** The code behind the buttons of messages whose author_type is `system` (decisions, section 5). */
export interface BuiltinClicks {
  /** Whether that message is one of its own; others answer 410. */
  owns(q: Queryable, message: { spaceId: string; messageId: string }): Promise<boolean>;
  /** Carries out a click, outside any transaction; there is no 60 s window. @throws ApiError, answered as it is (410 once a poll is closed) */
  click(db: Db, click: BuiltinClick): Promise<BuiltinClickResult>;
}

const handlers: BuiltinClicks[] = [];

/** Adds the code behind buttons of the product's own messages, at module level. */
export function registerBuiltinClicks(handler: BuiltinClicks): void {
  handlers.push(handler);
}

/** Whose message that is; undefined when it is nobody's. */
export async function findBuiltinClicks(
  q: Queryable,
  message: { spaceId: string; messageId: string },
): Promise<BuiltinClicks | undefined> {
  for (const handler of handlers) if (await handler.owns(q, message)) return handler;
  return undefined;
}

import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { LIST_CONVERSATIONS, LIST_CONVERSATIONS_OF_BOT } from './conversation-list.statements.js';

/** A conversation in somebody's list. */
export type ListedConversation = RowOf<typeof LIST_CONVERSATIONS>;

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * What a person finds in their client: the conversations that they are a member of and, unless they
 * are a guest, the public channels and voice chats; archived ones included, threads not. In the
 * order of making; the cursor is the last id.
 */
export async function listConversations(
  q: Queryable,
  { spaceId, userId, role }: UserPrincipal,
  page: { limit: number; cursor: string },
): Promise<{ rows: ListedConversation[]; nextCursor: string }> {
  const rows = await q.query(unprepared(LIST_CONVERSATIONS), [
    spaceId,
    userId,
    role !== 'guest',
    page.cursor === '' ? FIRST : page.cursor,
    page.limit + 1,
  ]);
  return pageOf(rows, page.limit, ({ id }) => id);
}

/**
 * What a bot finds (decisions, section 11.4): with `member` true its own conversations, with false
 * the public ones that it could join, else both. No threads, none that is archived; `channel_ids`
 * narrows channels. In the order of making; the cursor is the last id.
 * @throws 400 for a bad cursor
 */
export async function listConversationsOfBot(
  q: Queryable,
  { spaceId, botId, channelIds }: BotPrincipal,
  { member, limit, cursor }: PageQuery & { member?: boolean },
): Promise<Page<RowOf<typeof LIST_CONVERSATIONS_OF_BOT>>> {
  const rows = await q.query(unprepared(LIST_CONVERSATIONS_OF_BOT), [
    spaceId,
    botId,
    member !== false,
    member !== true,
    pageCursor(cursor) || FIRST,
    limit + 1,
    channelIds,
  ]);
  return pageOf(rows, limit, ({ id }) => id);
}

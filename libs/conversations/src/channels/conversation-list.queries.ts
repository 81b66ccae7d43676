import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { namePatterns } from '@tieline/spaces';
import {
  FIND_CONVERSATIONS_BY_NAME,
  LIST_CONVERSATIONS,
  LIST_CONVERSATIONS_OF_BOT,
} from './conversation-list.statements.js';

/** A conversation in a person's list. */
export type ListedConversation = RowOf<typeof LIST_CONVERSATIONS>;

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Lists the conversations that a person is a member of and, except for guests, all public channels
 * and voice chats. Includes archived conversations, excludes threads. Ordered by creation; the
 * cursor is the last id.
 */
export async function listConversations(
  q: Queryable,
  { spaceId, userId, role }: UserPrincipal,
  page: { limit: number; cursor: string },
): Promise<{ rows: ListedConversation[]; nextCursor: string }> {
  const rows = await q.query(unprepared(LIST_CONVERSATIONS), {
    spaceId,
    userId,
    withPublic: role !== 'guest',
    afterId: page.cursor === '' ? FIRST : page.cursor,
    limit: page.limit + 1,
  });
  return pageOf(rows, page.limit, ({ id }) => id);
}

/**
 * Lists conversations for a bot: with `member` true its own, with false the public ones it could
 * join, otherwise both. Excludes threads and archived conversations. `channel_ids` limits channels,
 * `q` names. Ordered by creation; the cursor is the last id.
 * @throws 400 for a bad cursor
 */
export async function listConversationsOfBot(
  q: Queryable,
  { spaceId, botId, channelIds }: BotPrincipal,
  { member, limit, cursor, q: name }: PageQuery & { member?: boolean; q?: string },
): Promise<Page<RowOf<typeof LIST_CONVERSATIONS_OF_BOT>>> {
  const rows = await q.query(unprepared(LIST_CONVERSATIONS_OF_BOT), {
    spaceId,
    botId,
    withOwn: member !== false,
    withPublic: member !== true,
    afterId: pageCursor(cursor) || FIRST,
    limit: limit + 1,
    channelIds,
    names: namePatterns(name),
  });
  return pageOf(rows, limit, ({ id }) => id);
}

/**
 * Finds conversations of {@link listConversations} by name. Names that begin with `name` come
 * first, archived conversations last.
 */
export function findConversationsByName(
  q: Queryable,
  { spaceId, userId, role }: UserPrincipal,
  { name, limit }: { name: string; limit: number },
): Promise<ListedConversation[]> {
  return q.query(FIND_CONVERSATIONS_BY_NAME, {
    spaceId,
    userId,
    withPublic: role !== 'guest',
    names: namePatterns(name),
    name,
    limit,
  });
}

import type { Message } from '@tieline/conversations';
import type { Queryable } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { bucketQueries, indexQuery } from '../text/index-query.js';
import type { SearchFilters } from '../text/index-query.js';
import type { SearchTerm } from '../text/search-terms.js';
import { cursorText, timeOf } from './search-cursor.js';
import type { SearchCursor } from './search-cursor.js';
import { SEARCH_MESSAGES } from './search-messages.statements.js';

/** What to look for. */
export interface MessageSearch {
  terms: readonly SearchTerm[];
  filters: SearchFilters;
  /** Inclusive. */
  after?: Date;
  /** Exclusive. */
  before?: Date;
  cursor?: SearchCursor;
  limit: number;
}

/** A message that was found, and where it is. */
export interface FoundMessage {
  message: Message;
  /** Of a thread, the name of its channel. */
  conversation: { id: string; name: string; type: string };
  /** Cursor of the page that follows this message. */
  cursor: string;
}

const SMALLEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Finds messages that the reader may read at this moment, newest first
 * (docs/search.md#what-is-found).
 * @returns at most `limit` messages, and the cursor of the next page, "" at the end
 */
export async function searchMessages(
  q: Queryable,
  reader: BotPrincipal | UserPrincipal,
  search: MessageSearch,
): Promise<{ found: FoundMessage[]; nextCursor: string }> {
  const rows = await q.query(SEARCH_MESSAGES, {
    ...rightsOf(reader),
    query: indexQuery(search.terms, search.filters),
    bucketQueries: bucketQueries(search.terms, search.filters),
    conversationId: search.filters.conversationId ?? null,
    authorId: search.filters.authorId ?? null,
    rootId: search.filters.rootId ?? null,
    since: search.after ?? '-infinity',
    ...endOf(search),
    limit: search.limit + 1,
  });
  const page = rows.slice(0, search.limit).map((row) => ({ row, cursor: cursorOf(row) }));
  const found = page.flatMap(({ row, cursor }) => {
    const { foundId: _id, foundAt: _at, isThere, placeName: name, placeType: type, ...message } = row;
    return isThere ? [{ message, conversation: { id: message.conversationId, name, type }, cursor }] : [];
  });
  return { found, nextCursor: rows.length > search.limit ? (page.at(-1)?.cursor ?? '') : '' };
}

function rightsOf(reader: BotPrincipal | UserPrincipal) {
  const { spaceId } = reader;
  return reader.kind === 'bot'
    ? { spaceId, readerId: reader.botId, readsPublic: true, channelIds: reader.channelIds }
    : { spaceId, readerId: reader.userId, readsPublic: reader.role !== 'guest', channelIds: [] };
}

function endOf({ before, cursor }: MessageSearch): { until: Date | string; untilId: string } {
  if (!cursor) return { until: before ?? 'infinity', untilId: SMALLEST_ID };
  const until = timeOf(cursor);
  const isAfterEnd = before !== undefined && new Date(until) >= before;
  return isAfterEnd ? { until: before, untilId: SMALLEST_ID } : { until, untilId: cursor.messageId };
}

const cursorOf = ({ foundAt, foundId }: { foundAt: string; foundId: string }): string =>
  cursorText({ at: foundAt, messageId: foundId });

import { Injectable } from '@nestjs/common';
import { ShownMessages } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { callerKey, Slots } from '@tieline/platform/http';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import { noWords, nothingToFind } from '../search.errors.js';
import { highlightsIn } from '../text/highlights.js';
import { readSearchTerms } from '../text/search-terms.js';
import type { SearchMessagesQuery } from './dto/search-messages.query.js';
import { readCursor } from './search-cursor.js';
import { searchMessages } from './search-messages.queries.js';
import type { FoundMessage, MessageSearch } from './search-messages.queries.js';
import type { SearchResultsPage, SearchResultView } from './search-messages.view.js';

/** Searches of one caller that run concurrently, so that none uses up the pool. */
const SEARCHES_PER_CALLER = 2;
/** Maximum time a search waits for earlier ones of the same caller, in milliseconds. */
const PATIENCE_MS = 10_000;
/** Maximum size of a page of several results, in bytes of the response. */
const PAGE_BYTES = 1_048_576;

/** Answers searches for messages of people and bots. */
@Injectable()
export class MessageSearcher {
  private readonly slots = new Slots(SEARCHES_PER_CALLER);

  constructor(
    private readonly db: Db,
    private readonly shown: ShownMessages,
  ) {}

  /**
   * Returns a page of messages that the caller may read (docs/search.md#what-is-found).
   * @throws 400 nothing to find, or a bad cursor; 429 too many searches of the caller at a time
   */
  async run(
    caller: BotPrincipal | UserPrincipal,
    query: SearchMessagesQuery,
    reply: FastifyReply,
  ): Promise<SearchResultsPage> {
    const search = searchOf(query);
    await this.slots.enterInTurn(callerKey(caller), reply.raw, PATIENCE_MS);
    const { found, nextCursor } = await searchMessages(this.db, caller, search);
    const messages = await this.shown.to(
      this.db,
      caller,
      found.map(({ message }) => message),
    );
    const results = messages.map((message, n) => ({
      message,
      conversation: (found[n] as FoundMessage).conversation,
      highlights: highlightsIn(message.text, search.terms),
    }));
    const shown = withinPage(results);
    const isCut = shown.length < results.length;
    return {
      ok: true,
      results: shown,
      next_cursor: isCut ? (found[shown.length - 1]?.cursor ?? '') : nextCursor,
    };
  }
}

/** @throws 400 */
function searchOf(query: SearchMessagesQuery): MessageSearch {
  const { q, in: conversationId, from: authorId, thread: rootId, has, before, after, limit, cursor } = query;
  const terms = readSearchTerms(q);
  const hasFilter = [conversationId, authorId, rootId, has, before, after].some((one) => one !== undefined);
  if (terms.length === 0 && q.trim() !== '') throw noWords();
  if (!hasFilter && terms.every((term) => term.isExcluded)) throw nothingToFind();
  return {
    terms,
    filters: { conversationId, authorId, rootId, has },
    before,
    after,
    limit,
    ...(cursor !== '' && { cursor: readCursor(cursor) }),
  };
}

/** Returns the first results that fit into {@link PAGE_BYTES}; at least one. */
function withinPage(results: SearchResultView[]): SearchResultView[] {
  let bytes = 0;
  const end = results.findIndex((result, n) => {
    bytes += Buffer.byteLength(JSON.stringify(result));
    return n > 0 && bytes > PAGE_BYTES;
  });
  return end < 0 ? results : results.slice(0, end);
}

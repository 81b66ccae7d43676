import { unprepared } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { StoredConversation } from '../../channels/conversation.entity.js';
import type { Conversation } from '../../conversation.queries.js';
import type { Message } from '../message.queries.js';
import { READ_CHANGED_HISTORY, READ_HISTORY } from './history.statements.js';
import { parseMoment } from './moment.js';
import { PAGE_BYTES } from './page-bytes.js';

/**
 * Which part of a conversation is read (decisions, section 3); at most one of the three cursors.
 */
export interface HistoryRequest {
  /** Exclusive. */
  before?: number;
  /** Exclusive. */
  after?: number;
  /** Inclusive: floor((limit - 1) / 2) messages before it, the rest from it on. */
  around?: number;
  /** 1..200 messages. */
  limit: number;
  /** Root message: only its thread, whose indexes the cursors then mean. */
  threadId?: string;
  /** RFC 3339: only what was sent, edited, deleted or reacted to after it. */
  updatedSince?: string;
}

/** Messages in ascending order, and whether the same filter has more on either side. */
export interface HistoryPage {
  messages: Message[];
  /** How many of them lie before the cursor. */
  below: number;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
}

/** `below` messages under the boundary and `above` messages from it on. */
interface Window {
  boundary: number;
  below: number;
  above: number;
}

/** Every cursor is a boundary between two messages and how many to take on either side of it. */
export function historyWindow({ before, after, around, limit }: HistoryRequest): Window {
  if (after !== undefined) return { boundary: after + 1, below: 0, above: limit };
  if (around === undefined) return { boundary: before ?? Number.MAX_SAFE_INTEGER, below: limit, above: 0 };
  const below = Math.floor((limit - 1) / 2);
  return { boundary: around, below, above: limit - below };
}

/** Reads a part of a conversation's history. Whether the reader may is the caller's to judge. */
export async function readHistory(
  q: Queryable,
  conversation: Conversation,
  request: HistoryRequest,
): Promise<HistoryPage> {
  const conversationId =
    request.threadId === undefined ? conversation.id : await threadOf(q, conversation, request.threadId);
  if (conversationId === undefined)
    return { messages: [], below: 0, hasMoreBefore: false, hasMoreAfter: false };
  const window = historyWindow(request);
  const rows = await readWindow(
    q,
    { spaceId: conversation.spaceId, conversationId },
    window,
    request.updatedSince,
  );
  const below = rows.filter((row) => row.msgIndex < window.boundary).sort((a, b) => b.msgIndex - a.msgIndex);
  const above = rows.filter((row) => row.msgIndex >= window.boundary).sort((a, b) => a.msgIndex - b.msgIndex);
  const [shownBelow, shownAbove] = [fitting(below, window.below), fitting(above, window.above)];
  return {
    messages: [...shownBelow.toReversed(), ...shownAbove],
    below: shownBelow.length,
    // One row more than wanted on each side tells whether there is more.
    hasMoreBefore: below.length > shownBelow.length,
    hasMoreAfter: above.length > shownAbove.length,
  };
}

/** The first rows, as many as are wanted and within a page's bytes; at least one. */
function fitting(rows: readonly Message[], wanted: number): Message[] {
  let bytes = 0;
  const end = rows.slice(0, wanted).findIndex(({ text, metadataJson }, n) => {
    bytes += Buffer.byteLength(text) + (metadataJson === null ? 0 : Buffer.byteLength(metadataJson));
    return n > 0 && bytes > PAGE_BYTES;
  });
  return rows.slice(0, end < 0 ? wanted : end);
}

async function threadOf(
  { manager }: Queryable,
  { spaceId, channelId }: Conversation,
  rootMessageId: string,
): Promise<string | undefined> {
  const thread = await manager.findOne(StoredConversation, {
    select: { id: true },
    where: { spaceId, rootMessageId, parentConversationId: channelId },
  });
  return thread?.id;
}

// Unprepared: planned for the number of messages that is asked for.
function readWindow(
  q: Queryable,
  place: { spaceId: string; conversationId: string },
  { boundary, below, above }: Window,
  since: string | undefined,
): Promise<Message[]> {
  const params = [place.spaceId, place.conversationId, boundary, below + 1, above + 1];
  return since === undefined
    ? q.query(unprepared(READ_HISTORY), params)
    : q.query(unprepared(READ_CHANGED_HISTORY), [...params, parseMoment(since)]);
}

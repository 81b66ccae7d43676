import { unprepared } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { StoredConversation } from '../../conversation.entity.js';
import type { Conversation } from '../../conversation.queries.js';
import type { Message } from '../message.queries.js';
import { READ_CHANGED_HISTORY, READ_HISTORY } from './history.statements.js';
import { parseMoment } from './moment.js';
import { PAGE_BYTES } from './page-bytes.js';

/** The part of a conversation to read. At most one of the three cursors is set. */
export interface HistoryRequest {
  /** Exclusive. */
  before?: number;
  /** Exclusive. */
  after?: number;
  /** Inclusive: floor((limit - 1) / 2) messages before it, the rest from it onwards. */
  around?: number;
  /** 1..200 messages. */
  limit: number;
  /** Root message: reads only its thread. The cursors are then indexes of the thread. */
  threadId?: string;
  /** RFC 3339: only messages sent, edited, deleted or reacted to after it. */
  updatedSince?: string;
}

/** Messages in ascending order, and whether the same filter matches more on either side. */
export interface HistoryPage {
  messages: Message[];
  /** Number of messages before the cursor. */
  below: number;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
}

/** `below` messages before the boundary and `above` messages from it onwards. */
interface Window {
  boundary: number;
  below: number;
  above: number;
}

/**
 * Translates a cursor into a boundary between two messages and the number to read on either side.
 */
function historyWindow({ before, after, around, limit }: HistoryRequest): Window {
  if (after !== undefined) return { boundary: after + 1, below: 0, above: limit };
  if (around === undefined) return { boundary: before ?? Number.MAX_SAFE_INTEGER, below: limit, above: 0 };
  const below = Math.floor((limit - 1) / 2);
  return { boundary: around, below, above: limit - below };
}

/** Reads a part of a conversation's history. The caller checks read access. */
export async function readHistory(
  q: Queryable,
  conversation: Conversation,
  request: HistoryRequest,
): Promise<HistoryPage> {
  const conversationId =
    request.threadId === undefined ? conversation.id : await findThread(q, conversation, request.threadId);
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
  const [shownBelow, shownAbove] = [fitToLimit(below, window.below), fitToLimit(above, window.above)];
  return {
    messages: [...shownBelow.toReversed(), ...shownAbove],
    below: shownBelow.length,
    // Each side reads one row more than requested, which shows whether there is more.
    hasMoreBefore: below.length > shownBelow.length,
    hasMoreAfter: above.length > shownAbove.length,
  };
}

/** Returns the first rows that fit both the limit and the byte limit of a page; at least one. */
function fitToLimit(rows: readonly Message[], wanted: number): Message[] {
  let bytes = 0;
  const end = rows.slice(0, wanted).findIndex(({ text, metadataJson, sourceJson }, n) => {
    for (const part of [text, metadataJson, sourceJson]) bytes += Buffer.byteLength(part ?? '');
    return n > 0 && bytes > PAGE_BYTES;
  });
  return rows.slice(0, end < 0 ? wanted : end);
}

/** Returns the conversation of the thread below a message, if it has replies. */
export async function findThread(
  { manager }: Queryable,
  { spaceId, channelId }: Pick<Conversation, 'spaceId' | 'channelId'>,
  rootMessageId: string,
): Promise<string | undefined> {
  const thread = await manager.findOne(StoredConversation, {
    select: { id: true },
    where: { spaceId, rootMessageId, parentConversationId: channelId },
  });
  return thread?.id;
}

// Unprepared, so that the plan fits the number of messages requested.
function readWindow(
  q: Queryable,
  place: { spaceId: string; conversationId: string },
  { boundary, below, above }: Window,
  since: string | undefined,
): Promise<Message[]> {
  const params = { ...place, boundary, below: below + 1, above: above + 1 };
  const moment = since === undefined ? undefined : parseMoment(since);
  return moment === undefined
    ? q.query(unprepared(READ_HISTORY), params)
    : q.query(unprepared(READ_CHANGED_HISTORY), { ...params, since: moment });
}

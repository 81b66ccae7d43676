import { NIL } from 'uuid';
import { runInWorkerTx, unprepared } from '@tieline/platform/database';
import type { Db, RowOf, Tx } from '@tieline/platform/database';
import { LOCK_INDEX } from './bucket-words.statements.js';
import { indexMessages } from './index-messages.js';
import { listBucketWords, spacesToList } from './list-bucket-words.js';
import {
  ADD_SPACES,
  CREATE_EARLIER_BUCKETS,
  LOCK_INCOMPLETE,
  RECORD_PROGRESS,
  SUM_PROGRESS,
} from './earlier-messages.statements.js';
import {
  FIND_CHANGED_CONVERSATIONS,
  FIND_MISSED,
  READ_CHANGED,
  READ_EARLIER,
  REMOVE_DELETED,
  REMOVE_MESSAGES,
} from './search-index.statements.js';

/** So few that the relay, which may want the same rows, waits for some tens of milliseconds. */
const BATCH = 250;
/** Number of conversations, and of their missed messages, that are looked up together. */
const PAGE = { conversations: 100, missed: 5000 } as const;

type ConversationKey = RowOf<typeof FIND_CHANGED_CONVERSATIONS>;

/** Progress of all spaces together, in messages. */
export interface IndexProgress {
  done: number;
  total: number;
  /** Number of spaces that are not complete. */
  spaces: number;
}

/**
 * Indexes the messages that were sent before the index existed, newest first, one space after the
 * other, and then lists the words of full buckets. Resumes where the last run stopped; several
 * processes may run it. Call it only where new messages are indexed already, so that none is missed
 * in between.
 * @param onBatch called after each batch; returns false to stop
 */
export async function indexEarlierMessages(db: Db, onBatch: () => boolean | Promise<boolean>): Promise<void> {
  await db.query(ADD_SPACES);
  for (let hasIndexed = false; ; hasIndexed = true) {
    const batch = await runInWorkerTx(db, indexBatch);
    if (!batch) return hasIndexed ? listAll(db, onBatch) : undefined;
    // A deletion that the relay planned before this batch was committed found nothing to remove.
    if (batch.messageIds.length > 0) await db.query(REMOVE_DELETED, [batch.spaceId, batch.messageIds]);
    if (!(await onBatch())) return;
  }
}

async function listAll(db: Db, onBucket: () => boolean | Promise<boolean>): Promise<void> {
  for (const spaceId of await spacesToList(db)) if (!(await listBucketWords(db, spaceId, onBucket))) return;
}

async function indexBatch(tx: Tx): Promise<{ spaceId: string; messageIds: string[] } | undefined> {
  const [space] = await tx.query(LOCK_INCOMPLETE);
  if (!space) return undefined;
  const { spaceId, position } = space;
  if (position === null) {
    await tx.query(CREATE_EARLIER_BUCKETS, [spaceId]);
    return { spaceId, messageIds: [] };
  }
  await tx.query(LOCK_INDEX);
  const rows = await tx.query(unprepared(READ_EARLIER), [spaceId, position, BATCH]);
  await indexMessages(
    tx,
    rows.filter((row) => !row.isDeleted),
  );
  const next = rows.length === BATCH ? (rows.at(-1)?.messageId ?? null) : null;
  await tx.query(RECORD_PROGRESS, [spaceId, next, rows.length]);
  return { spaceId, messageIds: rows.map(({ messageId }) => messageId) };
}

/**
 * Indexes what was sent or changed shortly before the last flush and since then, and is missing.
 * Call it when this process begins to relay: the process before may have died between planning and
 * indexing.
 */
export async function indexMissedMessages(db: Db): Promise<void> {
  let last: ConversationKey | undefined = { spaceId: NIL, id: NIL };
  while (last) {
    const page: ConversationKey[] = await db.query(FIND_CHANGED_CONVERSATIONS, [
      last.spaceId,
      last.id,
      PAGE.conversations,
    ]);
    await indexMissedOf(db, page);
    last = page.at(-1);
  }
}

async function indexMissedOf(db: Db, conversations: readonly ConversationKey[]): Promise<void> {
  const keys = [conversations.map(({ spaceId }) => spaceId), conversations.map(({ id }) => id)];
  let missed;
  do {
    missed = await db.query(FIND_MISSED, [...keys, PAGE.missed]);
    for (let from = 0; from < missed.length; from += BATCH)
      await indexAgain(db, missed.slice(from, from + BATCH));
  } while (missed.length === PAGE.missed);
}

async function indexAgain(db: Db, batch: readonly RowOf<typeof FIND_MISSED>[]): Promise<void> {
  const [spaceIds, messageIds] = [batch.map((one) => one.spaceId), batch.map((one) => one.messageId)];
  await runInWorkerTx(db, async (tx) => {
    await tx.query(LOCK_INDEX);
    const rows = await tx.query(READ_CHANGED, [spaceIds, messageIds]);
    await indexMessages(tx, rows);
    const there = new Set(rows.map(({ messageId }) => messageId));
    const gone = batch.filter(({ messageId }) => !there.has(messageId));
    if (gone.length > 0)
      await tx.query(REMOVE_MESSAGES, [gone.map((one) => one.spaceId), gone.map((one) => one.messageId)]);
  });
}

/** Empties the index. Workers, or a call of {@link indexEarlierMessages}, then build it again. */
export async function emptyIndex(db: Db): Promise<void> {
  await runInWorkerTx(db, async (tx) => {
    await tx.query('TRUNCATE search_messages, search_buckets, search_bucket_words, search_spaces');
  });
}

/** Returns how far all spaces are. */
export async function indexProgress(db: Db): Promise<IndexProgress> {
  const [row] = await db.query(SUM_PROGRESS);
  return row ?? { done: 0, total: 0, spaces: 0 };
}

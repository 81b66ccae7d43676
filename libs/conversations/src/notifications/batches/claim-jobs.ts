import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import type { JobId, NotificationJob } from '../notification-job.js';
import {
  CHUNK,
  CLAIM_FRESH,
  CLAIM_THESE,
  COUNT_MEMBERS,
  DELETE_JOBS,
  FIND_FAILED,
  JOBS_PER_SPACE,
} from '../notification-jobs.statements.js';

// Unprepared: the table is empty now and full later, and a plan that is kept fits one of the two.
// CLAIM_FRESH has one plan only.

type Fresh = RowOf<typeof CLAIM_FRESH>;

/** Messages, in the order in which they are worked off. */
export interface FairBatch {
  jobs: NotificationJob[];
  /** The space that had its turn last: the next batch begins with the one after it. */
  last: string;
}

/**
 * Takes a fair batch of new messages, in the caller's transaction: the first of every space, then
 * the second of every one, and so on.
 *
 * @param after the space that had its turn last
 * @param limit how many at most; those that several of 2,000 people are to be told of together are
 * fewer, and at least one
 */
export async function claimFresh(tx: Tx, after: string, limit: number): Promise<FairBatch> {
  const unsorted = tx.query('SET LOCAL enable_sort = off');
  const claimed = tx.query(CLAIM_FRESH, [after, Math.min(limit, JOBS_PER_SPACE)]);
  const [, rows] = await Promise.all([unsorted, claimed]);
  const inTurn = byTurns(rows).slice(0, limit);
  const jobs = inTurn.slice(0, howManyFit(inTurn, await membersOf(tx, inTurn)));
  const lastTurn = Math.max(...jobs.map(({ turn }) => turn));
  return { jobs, last: jobs.find(({ turn }) => turn === lastTurn)?.spaceId ?? after };
}

/** Takes those of these messages that are still there and that no other worker has in hand. */
export async function claimThese(tx: Tx, ids: readonly JobId[]): Promise<NotificationJob[]> {
  const rows = await tx.query(unprepared(CLAIM_THESE), keysOf(ids));
  return rows.sort((a, b) => a.rank - b.rank || a.position - b.position);
}

/** Messages that failed before and are due again; a few, by turns of their spaces. */
export async function findFailed(q: Queryable, limit: number): Promise<JobId[]> {
  return q.query(unprepared(FIND_FAILED), [limit]);
}

/** Takes away what is worked off; the caller has claimed it in this transaction. */
export async function deleteJobs(tx: Tx, jobs: readonly JobId[]): Promise<void> {
  const deleted = await tx.query(unprepared(DELETE_JOBS), keysOf(jobs));
  if (deleted.length !== jobs.length) throw new Error('a claimed message is gone');
}

function keysOf(ids: readonly JobId[]): [string[], string[]] {
  return [ids.map(({ spaceId }) => spaceId), ids.map(({ eventId }) => eventId)];
}

/** First what comes first in each space, in the order of their turns. */
function byTurns(rows: readonly Fresh[]): Fresh[] {
  const ordered = rows.toSorted((a, b) => a.turn - b.turn || a.rank - b.rank || a.position - b.position);
  const seen = new Map<number, number>();
  const placed = ordered.map((job) => {
    const place = seen.get(job.turn) ?? 0;
    seen.set(job.turn, place + 1);
    return { job, place };
  });
  return placed.sort((a, b) => a.place - b.place || a.job.turn - b.job.turn).map(({ job }) => job);
}

async function membersOf(tx: Tx, jobs: readonly NotificationJob[]): Promise<Map<string, number>> {
  const channels = new Map(jobs.map(({ channelId, spaceId }) => [channelId, spaceId]));
  if (channels.size === 0) return new Map();
  const rows = await tx.query(COUNT_MEMBERS, [[...channels.values()], [...channels.keys()]]);
  return new Map(rows.map(({ channelId, people }) => [channelId, people]));
}

/**
 * A batch writes about {@link CHUNK} notifications at most, so that the next space waits no longer
 * than that takes.
 */
function howManyFit(jobs: readonly NotificationJob[], people: ReadonlyMap<string, number>): number {
  let sum = 0;
  const first = jobs.findIndex(({ channelId }) => (sum += people.get(channelId) ?? 0) > CHUNK);
  return first === -1 ? jobs.length : Math.max(first, 1);
}

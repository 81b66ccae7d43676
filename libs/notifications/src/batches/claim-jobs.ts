import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import type { ClaimedJob, JobId, NotificationJob } from '../jobs/notification-job.js';
import {
  CHUNK,
  CLAIM_FRESH,
  CLAIM_THESE,
  COUNT_MEMBERS,
  DELETE_JOBS,
  FIND_DUE_KINDS,
  FIND_FAILED,
  JOBS_PER_SPACE,
} from '../jobs/notification-jobs.statements.js';

// Unprepared: the table is empty at times and full at others, and a cached plan fits only one of
// these. CLAIM_FRESH and DELETE_JOBS have only one possible plan.

type FreshJob = RowOf<typeof CLAIM_FRESH>;

/** Messages in processing order. */
export interface FairBatch {
  jobs: ClaimedJob[];
  /** The space whose turn was last. The next batch starts with the one after it. */
  last: string;
}

/**
 * Claims a fair batch of new messages in the caller's transaction: the first message of every
 * space, then the second, and so on.
 *
 * @param after the space whose turn was last.
 * @param limit maximum number of messages. Claims fewer, but at least one, if they would notify
 * more than {@link CHUNK} people together.
 */
export async function claimFresh(tx: Tx, after: string, limit: number): Promise<FairBatch> {
  const unsorted = tx.query('SET LOCAL enable_sort = off');
  const claimed = tx.query(CLAIM_FRESH, [after, Math.min(limit, JOBS_PER_SPACE)]);
  const [, rows] = await Promise.all([unsorted, claimed]);
  const inTurn = interleaveSpaces(rows).slice(0, limit);
  const jobs = inTurn.slice(0, countFitting(inTurn, await membersOf(tx, inTurn)));
  const lastTurn = Math.max(...jobs.map(({ turn }) => turn));
  return { jobs, last: jobs.find(({ turn }) => turn === lastTurn)?.spaceId ?? after };
}

/** Claims those of the given messages that still exist and that no other worker has claimed. */
export async function claimByIds(tx: Tx, ids: readonly JobId[]): Promise<ClaimedJob[]> {
  const spaceIds = ids.map(({ spaceId }) => spaceId);
  const eventIds = ids.map(({ eventId }) => eventId);
  const rows = await tx.query(unprepared(CLAIM_THESE), [spaceIds, eventIds]);
  return rows.sort((a, b) => a.rank - b.rank || a.position - b.position);
}

/** Returns whether new messages, and failed ones that are due, are waiting. */
export async function findDueKinds(q: Queryable): Promise<RowOf<typeof FIND_DUE_KINDS>> {
  const [kinds] = await q.query(unprepared(FIND_DUE_KINDS));
  return kinds!;
}

/** Finds a few messages that failed before and are due for a retry, taking turns between spaces. */
export async function findFailed(q: Queryable, limit: number): Promise<JobId[]> {
  return q.query(unprepared(FIND_FAILED), [limit]);
}

/** Deletes processed messages. The caller claimed them in this transaction. */
export async function deleteJobs(tx: Tx, jobs: readonly ClaimedJob[]): Promise<void> {
  const deleted = await tx.query(DELETE_JOBS, [jobs.map(({ ctid }) => ctid)]);
  if (deleted.length !== jobs.length) throw new Error('a claimed message was already deleted');
}

/**
 * Takes the first message of each space, then the second, and so on, in the order of the spaces'
 * turns.
 */
function interleaveSpaces(rows: readonly FreshJob[]): FreshJob[] {
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
 * Limits a batch to about {@link CHUNK} notifications, which bounds the waiting time of the next
 * space.
 */
function countFitting(jobs: readonly NotificationJob[], people: ReadonlyMap<string, number>): number {
  let sum = 0;
  const first = jobs.findIndex(({ channelId }) => (sum += people.get(channelId) ?? 0) > CHUNK);
  return first === -1 ? jobs.length : Math.max(first, 1);
}

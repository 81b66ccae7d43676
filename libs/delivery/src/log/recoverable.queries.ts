import { uuidFloor } from '@tieline/partitions';
import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf, ValuesOf } from '@tieline/platform/database';
import {
  COUNT_ENDED,
  COUNT_FAILED,
  COUNT_WAITING,
  FIND_ENDED,
  LAST_OF_ENDED,
  LAST_OF_FAILED,
  LIST_ENDED,
  LIST_FAILED,
} from './recoverable.statements.js';

/** Which deliveries of a log to send again (docs/outgoing-webhooks.md#recovery). */
export interface RecoverableRange {
  spaceId: string;
  kind: string;
  targetId: string;
  /** Planned at this time or later. */
  since: Date;
  /** Planned before this time. */
  until: Date;
  /**
   * Whether to include only dead letters whose redelivery has not succeeded, instead of all that
   * have ended.
   */
  onlyFailed: boolean;
  /** Empty for all types. */
  eventTypes: readonly string[];
  /** An event type that is never sent again. */
  leftOut: string;
}

/** A delivery to send again. Without a body it is out of retention. */
export type Recoverable = RowOf<typeof LIST_ENDED>;

/**
 * Maximum difference between the time inside an id, from a worker's clock, and `created_at`, from
 * the database's.
 */
const CLOCKS_MS = 300_000;

/** Returns the id before the first delivery of a range. */
export function startOf({ since }: Pick<RecoverableRange, 'since'>): string {
  return uuidFloor(new Date(since.getTime() - CLOCKS_MS));
}

/** Returns the number of events in a range. */
export async function countRecoverable(q: Queryable, range: RecoverableRange): Promise<number> {
  const statement = range.onlyFailed ? COUNT_FAILED : COUNT_ENDED;
  const [row] = await q.query(unprepared(statement), paramsOf(range, startOf(range)));
  return row?.n ?? 0;
}

/**
 * Returns the next deliveries of a range, oldest first, and where to continue. `after` is undefined
 * at the end. A page may be empty and still have a next one. An event with several ended deliveries
 * appears once for each. The caller remembers which events it has seen.
 */
export async function nextRecoverable(
  q: Queryable,
  range: RecoverableRange,
  after: string,
  limit: number,
): Promise<{ rows: Recoverable[]; after: string | undefined }> {
  const [list, last] = range.onlyFailed ? [LIST_FAILED, LAST_OF_FAILED] : [LIST_ENDED, LAST_OF_ENDED];
  const params = paramsOf(range, after);
  const rows = await q.query(unprepared(list), { ...params, limit });
  if (rows.length === limit) return { rows, after: rows.at(-1)?.id };
  const [end] = await q.query(unprepared(last), params);
  return { rows, after: end?.id };
}

/** Returns how many counted deliveries wait for a target, at most `most`. */
export async function countWaiting(q: Queryable, targetId: string, most: number): Promise<number> {
  const [row] = await q.query(unprepared(COUNT_WAITING), [targetId, most]);
  return row?.n ?? 0;
}

/** Returns which of these deliveries have ended: id → whether it succeeded. */
export async function endedAmong(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  if (ids.length === 0) return new Map();
  const rows = await q.query(unprepared(FIND_ENDED), [spaceId, ids]);
  return new Map(rows.map(({ id, succeeded }) => [id, succeeded]));
}

function paramsOf(range: RecoverableRange, after: string): ValuesOf<typeof COUNT_ENDED> {
  return { ...range, after, before: uuidFloor(new Date(range.until.getTime() + CLOCKS_MS)) };
}

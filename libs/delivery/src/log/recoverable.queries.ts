import { uuidFloor } from '@tieline/partitions';
import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
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

/** Which deliveries of a log are to be sent again (decisions, section 11.3). */
export interface RecoverableRange {
  spaceId: string;
  kind: string;
  targetId: string;
  /** Planned then or later. */
  since: Date;
  /** Planned before. */
  until: Date;
  /** Dead letters alone, but those whose redelivery succeeded; else all that have ended. */
  onlyFailed: boolean;
  /** Empty: all. */
  eventTypes: readonly string[];
  /** A type that is never sent again. */
  leftOut: string;
}

/** A delivery to be sent again; without a body its bytes are out of retention. */
export type Recoverable = RowOf<typeof LIST_ENDED>;

/**
 * How far the moment inside an id may be from `created_at`: the one is a worker's clock, the other
 * the database's.
 */
const CLOCKS_MS = 300_000;

/** Where the walk over a range begins. */
export function startOf({ since }: Pick<RecoverableRange, 'since'>): string {
  return uuidFloor(new Date(since.getTime() - CLOCKS_MS));
}

/** How many events there are in all. */
export async function countRecoverable(q: Queryable, range: RecoverableRange): Promise<number> {
  const statement = range.onlyFailed ? COUNT_FAILED : COUNT_ENDED;
  const [row] = await q.query(unprepared(statement), paramsOf(range, startOf(range)));
  return row?.n ?? 0;
}

/**
 * The next of a range, oldest first, and where to go on; `after` is undefined when there are no
 * more. A page may be empty and still have a next one. An event of which several deliveries ended
 * comes once for each: the caller remembers which it has had.
 */
export async function nextRecoverable(
  q: Queryable,
  range: RecoverableRange,
  after: string,
  limit: number,
): Promise<{ rows: Recoverable[]; after: string | undefined }> {
  const [list, last] = range.onlyFailed ? [LIST_FAILED, LAST_OF_FAILED] : [LIST_ENDED, LAST_OF_ENDED];
  const params = paramsOf(range, after);
  const rows = await q.query(unprepared(list), [...params, limit]);
  if (rows.length === limit) return { rows, after: rows.at(-1)?.id };
  const [end] = await q.query(unprepared(last), params.slice(0, 5));
  return { rows, after: end?.id };
}

/** How many counted deliveries wait for a target, `most` at most. */
export async function countWaiting(q: Queryable, targetId: string, most: number): Promise<number> {
  const [row] = await q.query(unprepared(COUNT_WAITING), [targetId, most]);
  return row?.n ?? 0;
}

/** Which of these deliveries have ended: id → whether it succeeded. */
export async function endedAmong(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  if (ids.length === 0) return new Map();
  const rows = await q.query(unprepared(FIND_ENDED), [spaceId, ids]);
  return new Map(rows.map(({ id, succeeded }) => [id, succeeded]));
}

function paramsOf(range: RecoverableRange, after: string): unknown[] {
  const { targetId, spaceId, kind, since, until, eventTypes, leftOut } = range;
  const before = uuidFloor(new Date(until.getTime() + CLOCKS_MS));
  return [targetId, spaceId, kind, after, before, since, until, eventTypes, leftOut];
}

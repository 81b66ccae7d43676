import { unprepared } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { ageQuantile, sumOfAges } from './ages.js';
import { MINUTES_OF_SPACE, WAITING_FOR } from './minutes.statements.js';

const MINUTE_MS = 60_000;
/** Number of minutes, including the current one. */
const MINUTES = 60;
/** Maximum number of waiting deliveries that are counted. */
export const MOST_WAITING = 10_000;

/** Outcomes of deliveries within a period. */
export interface DeliveryCounts {
  delivered: number;
  /** Deliveries that failed for good. */
  failed: number;
  /** Failed attempts that are retried. */
  retried: number;
  /**
   * Median time from planning to the receiver's 2xx in milliseconds, or null without deliveries.
   */
  p50Ms: number | null;
  /** The same for the 95th percentile. */
  p95Ms: number | null;
}

/** The outcomes of one minute. */
export interface DeliveryMinute extends DeliveryCounts {
  at: Date;
}

/**
 * Returns the last 60 minutes of a space's deliveries, oldest first, without gaps. The last one is
 * the current minute. Workers write their counts every five seconds.
 * @param now in milliseconds
 */
export async function lastHourOf(
  db: Queryable,
  spaceId: string,
  now = Date.now(),
): Promise<{ total: DeliveryCounts; minutes: DeliveryMinute[] }> {
  const first = now - (now % MINUTE_MS) - (MINUTES - 1) * MINUTE_MS;
  const rows = await db.query(MINUTES_OF_SPACE, [spaceId, new Date(first)]);
  const minutes = Array.from({ length: MINUTES }, (_, index) => {
    const at = new Date(first + index * MINUTE_MS);
    return { at, ...countsOf(rows.filter(({ minute }) => minute.getTime() === at.getTime())) };
  });
  return { total: countsOf(rows), minutes };
}

type Counted = Pick<DeliveryCounts, 'delivered' | 'failed' | 'retried'> & { ages: number[] };

function countsOf(rows: readonly Counted[]): DeliveryCounts {
  const sum = (key: 'delivered' | 'failed' | 'retried') => rows.reduce((total, row) => total + row[key], 0);
  const ages = sumOfAges(rows.map((row) => row.ages));
  return {
    delivered: sum('delivered'),
    failed: sum('failed'),
    retried: sum('retried'),
    p50Ms: ageQuantile(ages, 0.5),
    p95Ms: ageQuantile(ages, 0.95),
  };
}

/**
 * Returns how many deliveries wait for these targets, at most {@link MOST_WAITING}, and when the
 * first of them is due.
 */
export async function waitingFor(
  db: Queryable,
  targetIds: readonly string[],
): Promise<{ count: number; nextAt: Date | null }> {
  const [row] = await db.query(unprepared(WAITING_FOR), [targetIds, MOST_WAITING]);
  return { count: row?.n ?? 0, nextAt: row?.nextAt ?? null };
}

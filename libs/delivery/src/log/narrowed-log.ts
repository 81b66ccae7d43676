import { uuidFloor } from '@tieline/partitions';
import type { DeliveryStatus, LogFilters } from './log-filters.js';

/** The filters as the statements need them. */
export interface NarrowedLog {
  /** Upper bound (exclusive) and lower bound (inclusive) of ids. */
  before: string;
  from: string;
  status: DeliveryStatus | null;
  eventType: string | null;
  code: number | null;
  since: Date | null;
  until: Date | null;
  /** Excludes dead letters whose redelivery succeeded. */
  unrecovered: boolean;
  /** Whether only dead letters match, which have their own index. */
  deadAlone: boolean;
  /** Whether some of the deliveries read may not match. */
  isNarrow: boolean;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/**
 * Maximum difference between the time inside an id, from a worker's clock, and `created_at`, from
 * the database's.
 */
const CLOCKS_MS = 300_000;
const STATUS_OF = { all: undefined, success: 'success', failed: 'dead' } as const;

/** Converts filters. Returns undefined if they exclude each other. */
export function narrowed(given: LogFilters): NarrowedLog | undefined {
  const { filter, eventType, code, since, until, cursor } = given;
  const status = given.status ?? STATUS_OF[filter];
  if (status !== (STATUS_OF[filter] ?? status)) return undefined;
  const beforeUntil = until ? uuidFloor(new Date(until.getTime() + CLOCKS_MS)) : LAST_ID;
  return {
    before: cursor !== '' && cursor < beforeUntil ? cursor : beforeUntil,
    from: since ? uuidFloor(new Date(since.getTime() - CLOCKS_MS)) : FIRST_ID,
    status: status ?? null,
    eventType: eventType ?? null,
    code: code ?? null,
    since: since ?? null,
    until: until ?? null,
    unrecovered: filter === 'failed',
    deadAlone: status === 'dead',
    isNarrow: [status, eventType, code, since, until].some((value) => value !== undefined),
  };
}

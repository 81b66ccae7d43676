import { uuidFloor } from '@tieline/partitions';
import type { DeliveryStatus, LogFilters } from './log-filters.js';

/** The same for the statements. */
export interface NarrowedLog {
  /** Ids below this one, from that one on. */
  before: string;
  from: string;
  status: DeliveryStatus | null;
  eventType: string | null;
  code: number | null;
  since: Date | null;
  until: Date | null;
  /** Leaves out the dead letters whose redelivery succeeded. */
  unrecovered: boolean;
  /** Only dead letters are asked for, which have an index of their own. */
  deadAlone: boolean;
  /** Some of what is looked at may not be shown. */
  isNarrow: boolean;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/**
 * How far the moment inside an id may be from `created_at`: the one is a worker's clock, the other
 * the database's.
 */
const CLOCKS_MS = 300_000;
const STATUS_OF = { all: undefined, success: 'success', failed: 'dead' } as const;

/** Undefined when nothing can be both. */
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

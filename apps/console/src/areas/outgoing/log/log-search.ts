/** Tabs of a subscription's page. */
const TABS = ['log', 'settings', 'recoveries'] as const;
/** States that the log can be filtered by. */
export const STATES = ['failed', 'pending', 'success', 'dead'] as const;
/** Selectable periods, in milliseconds. */
export const SPANS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;

export type Span = keyof typeof SPANS;

/** Parameters of a subscription's page: the open tab, the filters of the log, the open delivery. */
export interface LogSearch {
  tab?: (typeof TABS)[number];
  state?: (typeof STATES)[number];
  type?: string;
  code?: number;
  span?: Span;
  /** Start and end of a period, instead of `span`. */
  from?: string;
  until?: string;
  delivery?: string;
}

const oneOf = <T extends string>(known: readonly T[], value: unknown): T | undefined =>
  known.find((one) => one === value);

const instant = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Parses the parameters of an address. Ignores invalid values. */
export function logSearch(given: Record<string, unknown>): LogSearch {
  const code = Number(given.code);
  const read: LogSearch = {
    tab: oneOf(TABS, given.tab),
    state: oneOf(STATES, given.state),
    type: typeof given.type === 'string' && given.type !== '' ? given.type : undefined,
    code: Number.isInteger(code) && code >= 100 && code <= 599 ? code : undefined,
    span: oneOf(Object.keys(SPANS) as Span[], given.span),
    from: instant(given.from),
    until: instant(given.until),
    delivery: typeof given.delivery === 'string' ? given.delivery : undefined,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/**
 * Builds the query for the endpoint.
 *
 * @param now milliseconds
 */
export function logQuery({ state, type, code, span, from, until }: LogSearch, now: number) {
  const since = from ?? (span && new Date(now - SPANS[span]).toISOString());
  return {
    ...(state === 'failed' ? { filter: 'failed' as const } : state ? { status: state } : {}),
    ...(type ? { event_type: type } : {}),
    ...(code ? { code } : {}),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
}

/** Whether a filter is active. */
export const isFiltered = ({ state, type, code, span, from, until }: LogSearch): boolean =>
  [state, type, code, span, from, until].some((value) => value !== undefined);

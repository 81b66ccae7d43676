/** Tabs of a bot's page. */
const BOT_TABS = ['settings', 'commands', 'deliveries', 'callbacks'] as const;
type BotTab = (typeof BOT_TABS)[number];

const FILTERS = ['all', 'success', 'failed'] as const;
const SPANS = ['hour', 'day', 'all'] as const;

/** Tab and filters of a bot's page, kept in the address so that links can be shared. */
export interface BotSearch {
  tab?: BotTab;
  filter?: (typeof FILTERS)[number];
  span?: (typeof SPANS)[number];
}

/** Parses the address. Ignores invalid values. */
export function botTabIn(search: Record<string, unknown>): BotSearch {
  const one = <T extends string>(list: readonly T[], value: unknown) => list.find((known) => known === value);
  return {
    tab: one(BOT_TABS, search.tab),
    filter: one(FILTERS, search.filter),
    span: one(SPANS, search.span),
  };
}

/**
 * Returns the start of a period in the API's format.
 *
 * @param now milliseconds
 */
export function sinceOf(span: BotSearch['span'], now: number): string | undefined {
  if (span === 'hour') return new Date(now - 3_600_000).toISOString();
  if (span === 'day') return new Date(now - 86_400_000).toISOString();
  return undefined;
}

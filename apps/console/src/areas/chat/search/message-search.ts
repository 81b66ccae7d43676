/** What a message can have. */
export const PARTS = ['file', 'link', 'reaction', 'pin'] as const;
type Part = (typeof PARTS)[number];

/** A search, as stored in the address of its page. */
export interface MessageSearch {
  q?: string;
  /** Id of a conversation. */
  in?: string;
  /** Id of a person, bot or incoming webhook. */
  from?: string;
  /** First day that is no longer searched, `YYYY-MM-DD`. */
  before?: string;
  /** First day that is searched, `YYYY-MM-DD`. */
  after?: string;
  has?: Part;
  /** Id of the root message of a thread. */
  thread?: string;
}

/** Longest search text that the server accepts. */
export const MAX_LENGTH = 200;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the search of an address. Ignores invalid values. */
export function messageSearch(given: Readonly<Record<string, unknown>>): MessageSearch {
  // The router reads `?q=4711` as a number.
  const q = typeof given.q === 'string' || typeof given.q === 'number' ? String(given.q) : '';
  const id = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined);
  const day = (value: unknown) => (startOfDay(value) === undefined ? undefined : (value as string));
  const read = {
    q: q.slice(0, MAX_LENGTH) || undefined,
    in: id(given.in),
    from: id(given.from),
    before: day(given.before),
    after: day(given.after),
    has: PARTS.find((part) => part === given.has),
    thread: id(given.thread),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Returns the query for the endpoint. Days begin at midnight in the browser's time zone. */
export function searchQuery({ before, after, ...rest }: MessageSearch) {
  const [until, since] = [startOfDay(before), startOfDay(after)];
  return {
    ...rest,
    ...(until !== undefined && { before: until }),
    ...(since !== undefined && { after: since }),
  };
}

/** Whether the search has a filter. People and conversations are only searched without one. */
export const isFiltered = ({ q: _, ...filters }: MessageSearch): boolean => Object.keys(filters).length > 0;

function startOfDay(day: unknown): string | undefined {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}

import type { CallOptions, Client } from '../client.js';

/** Every entry of a list that comes in pages of `next_cursor`. */
export async function everyEntry<T>(
  client: Client,
  path: string,
  noun: string,
  query: CallOptions['query'] = {},
): Promise<T[]> {
  const entries: T[] = [];
  for (let cursor: string | undefined; ;) {
    const page: Record<string, unknown> = await client.call('GET', path, { query: { ...query, cursor } });
    entries.push(...(page[noun] as T[]));
    cursor = (page.next_cursor as string | null | undefined) || undefined;
    if (!cursor) return entries;
  }
}

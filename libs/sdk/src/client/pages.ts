import type { ListMessagesData, HistoryAnswer, MessageView } from '../api/types.gen.js';
import type { CallOptions, Transport } from './transport.js';

/** Options for reading a list. */
export interface ListOptions {
  readonly query?: CallOptions['query'];
  readonly signal?: AbortSignal;
}

/**
 * Iterates over all items of a list with cursors, loading pages as needed. Items added during the
 * iteration may or may not be included.
 */
export async function* listAll<Item>(
  transport: Transport,
  path: string,
  { query, signal }: ListOptions = {},
): AsyncGenerator<Item, void, undefined> {
  let cursor: unknown = query?.cursor;
  do {
    const page: Record<string, unknown> = await transport.call('GET', path, {
      query: { limit: 200, ...query, cursor },
      ...(signal && { signal }),
    });
    const items = Object.entries(page).find(([name, value]) => name !== 'warnings' && Array.isArray(value));
    yield* (items?.[1] ?? []) as Item[];
    cursor = page.next_cursor;
  } while (cursor);
}

/** Which messages to read, from where and in which order. */
export interface HistoryOptions extends Pick<
  NonNullable<ListMessagesData['query']>,
  'thread_id' | 'updated_since'
> {
  /** Default: `newest` first. */
  readonly order?: 'newest' | 'oldest';
  /** The `msg_index` to continue from, exclusive. Default: the newest or oldest message. */
  readonly from?: number;
  readonly signal?: AbortSignal;
}

/**
 * Iterates over the messages of a channel, direct conversation or thread. Deleted ones have no
 * text.
 */
export async function* readHistory(
  transport: Transport,
  conversationId: string,
  { order = 'newest', from, signal, ...filter }: HistoryOptions = {},
): AsyncGenerator<MessageView, void, undefined> {
  const isForward = order === 'oldest';
  const path = `/api/v1/channels/${encodeURIComponent(conversationId)}/messages`;
  let position = from ?? (isForward ? 0 : undefined);
  for (;;) {
    const query = { limit: 200, ...filter, [isForward ? 'after_msg_index' : 'before_msg_index']: position };
    const page = await transport.call<HistoryAnswer>('GET', path, { query, ...(signal && { signal }) });
    const messages = isForward ? page.messages : page.messages.reverse();
    yield* messages;
    position = messages.at(-1)?.msg_index;
    if (position === undefined || !(isForward ? page.has_more_after : page.has_more_before)) return;
  }
}

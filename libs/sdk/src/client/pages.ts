import type { ListMessagesData, HistoryAnswer, MessageView } from '../api/types.gen.js';
import type { CallOptions, Door } from './door.js';

/** How a list is read. */
export interface ListOptions {
  readonly query?: CallOptions['query'];
  readonly signal?: AbortSignal;
}

/**
 * All items of a list that pages by `cursor` and `next_cursor`, page by page as they are taken.
 * What is added to the list meanwhile may or may not be among them.
 */
export async function* listAll<Item>(
  door: Door,
  path: string,
  { query, signal }: ListOptions = {},
): AsyncGenerator<Item, void, undefined> {
  let cursor: unknown = query?.cursor;
  do {
    const page: Record<string, unknown> = await door.call('GET', path, {
      query: { limit: 200, ...query, cursor },
      ...(signal && { signal }),
    });
    const items = Object.entries(page).find(([name, value]) => name !== 'warnings' && Array.isArray(value));
    yield* (items?.[1] ?? []) as Item[];
    cursor = page.next_cursor;
  } while (cursor);
}

/** Which messages, from where and in which order. */
export interface HistoryOptions extends Pick<
  NonNullable<ListMessagesData['query']>,
  'thread_id' | 'updated_since'
> {
  /** Default: `newest` first. */
  readonly order?: 'newest' | 'oldest';
  /** The `msg_index` to go on from, which is not among them; default: the end, or the beginning. */
  readonly from?: number;
  readonly signal?: AbortSignal;
}

/** The messages of a channel, a direct chat or a thread, deleted ones without their text. */
export async function* readHistory(
  door: Door,
  conversationId: string,
  { order = 'newest', from, signal, ...filter }: HistoryOptions = {},
): AsyncGenerator<MessageView, void, undefined> {
  const isForward = order === 'oldest';
  const path = `/api/v1/channels/${encodeURIComponent(conversationId)}/messages`;
  let position = from ?? (isForward ? 0 : undefined);
  for (;;) {
    const query = { limit: 200, ...filter, [isForward ? 'after_msg_index' : 'before_msg_index']: position };
    const page = await door.call<HistoryAnswer>('GET', path, { query, ...(signal && { signal }) });
    const messages = isForward ? page.messages : page.messages.reverse();
    yield* messages;
    position = messages.at(-1)?.msg_index;
    if (position === undefined || !(isForward ? page.has_more_after : page.has_more_before)) return;
  }
}

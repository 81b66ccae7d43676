import type { MessageView } from '@tieline/sdk/api';
import { Room } from './room.js';
import type { Query } from './room.js';

const message = (index: number, more: Partial<MessageView> = {}): MessageView =>
  ({
    id: `m${index}`,
    msg_index: index,
    text: `line ${index}`,
    sent_at: new Date(index * 60_000).toISOString(),
    reactions: [],
    ...more,
  }) as unknown as MessageView;

const LAST = 1500;

/** A history of 1,500 messages. Message 660 changes after it was first loaded. */
function longHistory() {
  const queries: Query[] = [];
  let isChanged = false;
  const line = (index: number) =>
    message(
      index,
      isChanged && index === 660
        ? { text: 'changed', edited_at: new Date(LAST * 60_000).toISOString() }
        : undefined,
    );
  const read = (query: Query) => {
    queries.push(query);
    const limit = query.limit ?? 100;
    const around = query.around_msg_index;
    const from = around === undefined ? LAST - limit + 1 : around - limit / 2;
    const messages = Array.from({ length: limit }, (_, n) => line(from + n));
    const has_more_after = query.updated_since !== undefined || around !== undefined;
    return Promise.resolve({ messages, has_more_before: true, has_more_after });
  };
  const room = new Room('c', read, () => Promise.resolve());
  return { room, queries, change: () => (isChanged = true) };
}

test('a reader of old messages stays there after a lost connection and sees changes', async () => {
  const { room, queries, change } = longHistory();
  await room.open(700);
  const before = room.snapshot().log.messages.map(({ id }) => id);
  change();
  await room.catchUp();
  const { messages, hasAfter } = room.snapshot().log;
  expect(messages.map(({ id }) => id)).toEqual(before);
  expect(messages.find(({ id }) => id === 'm660')?.text).toBe('changed');
  expect([hasAfter, queries.length]).toEqual([true, 3]);
});

test('a reader of the latest messages gets the latest ones after a long gap', async () => {
  const { room } = longHistory();
  await room.open();
  expect(room.snapshot().log.hasAfter).toBe(false);
  await room.catchUp();
  expect(room.snapshot().log.messages.at(-1)?.msg_index).toBe(LAST);
});

test('replies missed while the stream was closed are counted after it reopens', async () => {
  let count = 1;
  const room = new Room(
    'c',
    ({ updated_since: since }) =>
      Promise.resolve({
        messages: since === undefined ? [message(1, { reply_count: count })] : [],
        has_more_before: false,
        has_more_after: false,
      }),
    () => Promise.resolve(),
  );
  const shown = () => room.snapshot().log.messages[0]?.reply_count;
  await room.open();
  count = 2;
  await room.catchUp({ isBack: true });
  expect(shown()).toBe(1);
  room.subscribe(() => undefined);
  await room.catchUp();
  expect(shown()).toBe(1);
  await room.catchUp({ isBack: true });
  expect(shown()).toBe(2);
});

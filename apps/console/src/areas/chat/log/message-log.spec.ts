import type { MessageView } from '@tieline/sdk/api';
import { applyEvent, emptyLog, knownUntil, mergeChanged, mergePage, MOST_KEPT } from './message-log.js';
import { Room } from './room.js';
import type { HistoryPage, LogEvent, MessageLog } from './message-log.js';

const message = (index: number, some: Partial<MessageView> = {}): MessageView => ({
  id: `m${index}`,
  message_id: `m${index}`,
  conversation_id: 'c',
  author_id: 'u',
  author_type: 'user',
  text: `text ${index}`,
  is_system: false,
  attachments: [],
  attachment_status: 'none',
  reactions: [],
  msg_index: index,
  sent_at: `2026-01-01T00:00:0${index}Z`,
  ...some,
});

const page = (indexes: number[], before = false, after = false): HistoryPage => ({
  messages: indexes.map((index) => message(index)),
  has_more_before: before,
  has_more_after: after,
});

const ids = (log: { messages: readonly MessageView[] }) => log.messages.map(({ id }) => id);

it('joins pages at both ends without duplicates', () => {
  let log = mergePage(emptyLog, page([4, 5], true, true), 'only');
  log = mergePage(log, page([3, 4], false, true), 'before');
  log = mergePage(log, page([5, 6], true, false), 'after');
  expect(ids(log)).toEqual(['m3', 'm4', 'm5', 'm6']);
  expect([log.hasBefore, log.hasAfter]).toEqual([false, false]);
});

it('adds a new message once, and not after a gap', () => {
  const log = mergePage(emptyLog, page([1, 2]), 'only');
  const event = { event: 'message.new', message: message(3) } as const;
  const once = applyEvent(log, event);
  expect(ids(once)).toEqual(['m1', 'm2', 'm3']);
  expect(applyEvent(once, event)).toBe(once);
  const inTheMiddle = { ...log, hasAfter: true };
  expect(applyEvent(inTheMiddle, event)).toBe(inTheMiddle);
});

it('keeps the latest text in any order, and never restores deleted messages', () => {
  const log = mergePage(emptyLog, page([1]), 'only');
  const late = message(1, { text: 'late', edited_at: '2026-01-01T00:02:00Z' });
  const early = message(1, { text: 'early', edited_at: '2026-01-01T00:01:00Z' });
  const edited = applyEvent(log, { event: 'message.edited', message: late });
  expect(applyEvent(edited, { event: 'message.edited', message: early })).toBe(edited);
  expect(mergeChanged(edited, [early]).messages[0]?.text).toBe('late');
  const gone = applyEvent(edited, {
    event: 'message.deleted',
    message: message(1, { text: '', deleted_at: '2026-01-01T00:03:00Z' }),
  });
  expect(applyEvent(gone, { event: 'message.edited', message: late })).toBe(gone);
});

it('adds and removes reactions, one per person', () => {
  const log = mergePage(emptyLog, page([1]), 'only');
  const added = { event: 'reaction.added', message_id: 'm1', emoji: '🎉', user_id: 'u' } as const;
  const twice = applyEvent(applyEvent(log, added), added);
  expect(twice.messages[0]?.reactions).toEqual([{ emoji: '🎉', user_ids: ['u'] }]);
  expect(applyEvent(twice, { ...added, event: 'reaction.removed' }).messages[0]?.reactions).toEqual([]);
});

it('knows the time until which it is complete', () => {
  expect(knownUntil(emptyLog)).toBeUndefined();
  const log = mergePage(emptyLog, page([1, 2]), 'only');
  expect(knownUntil(log)).toBe('2026-01-01T00:00:02Z');
});

it('applies live events again over a page that is older', async () => {
  let answer: (page: HistoryPage) => void = () => undefined;
  const waiting = new Promise<HistoryPage>((resolve) => (answer = resolve));
  const room = new Room(
    'c',
    () => waiting,
    () => Promise.resolve(),
  );
  const opened = room.open();
  room.take({ event: 'message.new', message: message(2) });
  room.take({
    event: 'message.edited',
    message: message(1, { text: 'new words', edited_at: '2026-01-01T00:01:00Z' }),
  });
  answer(page([1]));
  await opened;
  expect(room.snapshot().log.messages.map(({ text }) => text)).toEqual(['new words', 'text 2']);
});

it('retries a failed message under its idempotency key', async () => {
  const kept: MessageView[] = [message(1)];
  const keys: string[] = [];
  const room = new Room(
    'c',
    () => Promise.resolve({ messages: [...kept], has_more_before: false, has_more_after: false }),
    ({ text }, key) => {
      keys.push(key);
      if (keys.length > 1) return Promise.resolve();
      kept.push(message(2, { text }));
      return Promise.reject(new Error('connection lost'));
    },
  );
  await room.open();
  await room.send({ text: 'hello', files: [] }, 'key');
  expect(room.snapshot().outgoing).toHaveLength(1);
  await room.send({ text: 'hello', files: [] }, 'key');
  expect(keys).toEqual(['key', 'key']);
  expect(room.snapshot().outgoing).toEqual([]);
  expect(ids(room.snapshot().log)).toEqual(['m1', 'm2']);
});

it('keeps a bounded number of messages, drops distant ones and loads them again', () => {
  const many = (first: number) =>
    page(
      Array.from({ length: 50 }, (_, n) => first + n),
      first > 1,
      false,
    );
  let log = mergePage(emptyLog, many(9951), 'only');
  for (let first = 9901; first >= 8001; first -= 50) log = mergePage(log, many(first), 'before');
  expect(log.messages).toHaveLength(MOST_KEPT);
  expect([log.messages[0]?.msg_index, log.hasBefore, log.hasAfter]).toEqual([8001, true, true]);
  for (let first = log.messages.at(-1)!.msg_index + 1; first <= 9951; first += 50)
    log = mergePage(log, many(first), 'after');
  expect(log.messages).toHaveLength(MOST_KEPT);
  expect([log.messages.at(-1)?.msg_index, log.hasBefore, log.hasAfter]).toEqual([10_000, true, false]);
});

it('counts each reply once, keeps the count after an edit, and ignores unknown messages', () => {
  const log = mergePage(emptyLog, page([1, 2]), 'only');
  const reply = (index: number, rootId = 'm1') =>
    ({ event: 'reply', rootId, index, at: `2026-01-01T00:01:0${index}Z` }) as const;
  const counted = applyEvent(applyEvent(log, reply(1)), reply(2));
  expect(counted.messages[0]).toMatchObject({ reply_count: 2, last_reply_at: '2026-01-01T00:01:02Z' });
  for (const old of [reply(1), reply(2), reply(1, 'm9')]) expect(applyEvent(counted, old)).toBe(counted);
  const edited = applyEvent(counted, {
    event: 'message.edited',
    message: message(1, { text: 'other', edited_at: '2026-01-01T00:02:00Z' }),
  });
  expect(edited.messages[0]).toMatchObject({ text: 'other', reply_count: 2 });
  expect(edited.messages[1]).not.toHaveProperty('reply_count');
});

it('the title of a thread and feedback stay with their message, also after an edit', () => {
  const root = message(1);
  let log: MessageLog = { messages: [root], hasBefore: false, hasAfter: false };
  const shown = () => log.messages.map(({ thread_title: title, feedback }) => [title, feedback]);
  const take = (event: LogEvent) => (log = applyEvent(log, event));
  take({ event: 'titled', rootId: root.id, title: 'Release 4711' });
  take({ event: 'feedback', messageId: root.id, choice: 'positive' });
  take({ event: 'message.edited', message: { ...root, text: 'x', edited_at: '2026-11-27T10:00:00Z' } });
  expect(shown()).toEqual([['Release 4711', { positive: 1, negative: 0, mine: 'positive' }]]);
  take({ event: 'titled', rootId: root.id, title: null });
  take({ event: 'feedback', messageId: root.id, choice: 'negative' });
  expect(shown()).toEqual([[undefined, { positive: 0, negative: 1, mine: 'negative' }]]);
  take({ event: 'feedback', messageId: root.id, choice: 'none' });
  expect(shown()).toEqual([[undefined, { positive: 0, negative: 0, mine: 'none' }]]);
});

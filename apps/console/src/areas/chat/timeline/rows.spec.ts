import type { MessageView } from '@tieline/sdk/api';
import { timelineRows } from './rows.js';

const message = (index: number, sent_at: string, author_id = 'ann'): MessageView => ({
  id: `m${index}`,
  message_id: `m${index}`,
  conversation_id: 'c',
  msg_index: index,
  author_id,
  author_type: 'user',
  text: `line ${index}`,
  attachments: [],
  reactions: [],
  mentions: [],
  is_system: false,
  attachment_status: 'none',
  sent_at,
});

const keys = (messages: MessageView[], hasBefore: boolean): string[] =>
  timelineRows({
    log: { messages, hasBefore, hasAfter: false },
    whispers: [],
    outgoing: [],
    isLoaded: true,
  }).map(({ kind, key }) => (kind === 'message' ? key : kind));

const monday = [message(1, '2026-11-23T10:00:00Z'), message(2, '2026-11-23T10:01:00Z')];
const tuesday = [message(3, '2026-11-24T10:00:00Z'), message(4, '2026-11-24T10:01:00Z')];

it('each day has a separator, and the history has a beginning', () => {
  expect(keys([...monday, ...tuesday], false)).toEqual(['beginning', 'day', 'm1', 'm2', 'day', 'm3', 'm4']);
});

it('loading an earlier page removes no row', () => {
  const before = keys([monday[1]!, ...tuesday], true);
  expect(before).toEqual(['m2', 'day', 'm3', 'm4']);
  expect(keys([...monday, ...tuesday], true).slice(-before.length)).toEqual(before);
});

it('messages of one person in quick succession share a header', () => {
  const rows = timelineRows({
    log: {
      messages: [
        ...monday,
        message(3, '2026-11-23T10:02:00Z', 'ben'),
        message(4, '2026-11-23T10:20:00Z', 'ben'),
      ],
      hasBefore: true,
      hasAfter: false,
    },
    whispers: [],
    outgoing: [],
    isLoaded: true,
  });
  expect(rows.flatMap((row) => (row.kind === 'message' ? [row.isGoingOn] : []))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

import type { ChatEvent } from '@tieline/conversations';
import { slackId } from '../ids/slack-ids.js';
import type { EventFacts } from './event-facts.js';
import { chatEventsFor, directEvents, referredMessages } from './inner-events.js';

const SPACE = '01939d3e-1111-7aaa-9c1d-2f6a5b1c0d11';
const CHANNEL = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const THREAD = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d49';
const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const ROOT = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d40';
const ANN = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const BOB = '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41';
const BOT = '01939d3e-0004-7aaa-9c1d-2f6a5b1c0d41';
const APP = '01939d3e-0005-7aaa-9c1d-2f6a5b1c0d41';
const FILE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51';
const SENT = '2026-01-31T09:00:00.123456000Z';
const LATER = '2026-01-31T09:05:00.000007000Z';
const TS = '1769850000.123456';
const LATER_TS = '1769850300.000007';
const ROOT_TS = '1769849999.000001';

const FACTS: EventFacts = {
  apps: new Map([[BOT, APP]]),
  assistants: new Set(),
  homes: new Map(),
  subscriptions: new Map(),
  messages: new Map([
    [ROOT, { ts: ROOT_TS, authorId: BOB, channel: slackId('publicChannel', CHANNEL), threadTs: undefined }],
    [MESSAGE, { ts: TS, authorId: BOB, channel: slackId('direct', CHANNEL), threadTs: ROOT_TS }],
  ]),
};

type Parts = { scope?: 'public' | 'private' | 'dm'; data?: object; message?: object; head?: object };

/** A chat event as the outbox has it. */
function event(type: string, { scope = 'public', data, message, head }: Parts = {}): ChatEvent {
  return {
    event_id: MESSAGE,
    event_type: type,
    space_id: SPACE,
    occurred_at: LATER,
    actor_id: ANN,
    actor_type: 'user',
    conversation: { id: CHANNEL, type: 'channel', scope, is_direct: scope === 'dm', is_public: false },
    channel_id: CHANNEL,
    thread_id: '',
    bot_ids: [],
    data: { conversation_id: CHANNEL, ...data },
    ...(message && { message: { attachments: [], attachment_status: 'none', ...message } }),
    ...head,
  } as unknown as ChatEvent;
}

const posted = (text: string, parts: Parts = {}, type = 'MESSAGE_CREATED'): ChatEvent =>
  event(type, {
    ...parts,
    data: { message_id: MESSAGE, author_id: ANN, text, sent_at: SENT, ...parts.data },
    message: { author_type: 'user', ...parts.message },
  });

test('a message of a person', () => {
  expect(chatEventsFor(BOT, posted('hello **you** & <b>'), FACTS)).toEqual([
    {
      type: 'message',
      user: slackId('user', ANN),
      client_msg_id: MESSAGE,
      text: 'hello *you* &amp; &lt;b&gt;',
      ts: TS,
      team: slackId('space', SPACE),
      blocks: [
        {
          type: 'rich_text',
          block_id: MESSAGE,
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'hello ' },
                { type: 'text', text: 'you', style: { bold: true } },
                { type: 'text', text: ' & <b>' },
              ],
            },
          ],
        },
      ],
      channel: slackId('publicChannel', CHANNEL),
      channel_type: 'channel',
      event_ts: TS,
    },
  ]);
});

test.each([
  ['public', 'C', 'channel'],
  ['private', 'G', 'group'],
  ['dm', 'D', 'im'],
] as const)('a %s conversation has ids with %s and channel_type %s', (scope, prefix, type) => {
  const [message] = chatEventsFor(BOT, posted('x', { scope }), FACTS);
  expect(message).toMatchObject({ channel: expect.stringMatching(`^${prefix}`), channel_type: type });
});

test('a message of a bot has user, bot_id and app_id', () => {
  const [message] = chatEventsFor(
    APP,
    posted('x', { data: { author_id: BOT }, message: { author_type: 'bot', display_name: 'Deploys' } }),
    FACTS,
  );
  expect(message).toMatchObject({
    user: slackId('user', BOT),
    bot_id: slackId('bot', BOT),
    app_id: slackId('app', APP),
    username: 'Deploys',
  });
  expect(message).not.toHaveProperty('client_msg_id');
});

test('a message of a webhook is a bot_message without a user', () => {
  const [message] = chatEventsFor(BOT, posted('x', { message: { author_type: 'webhook' } }), FACTS);
  expect(message).toMatchObject({ subtype: 'bot_message', bot_id: slackId('bot', ANN) });
  expect(message).not.toHaveProperty('user');
});

test("a reply has the channel of its root message, thread_ts and the root's author", () => {
  const reply = posted('x', {
    head: { thread_id: ROOT, conversation: { id: THREAD, type: 'thread', scope: 'public' } },
  });
  expect(referredMessages({ event: { chat: reply } })).toEqual([ROOT]);
  expect(chatEventsFor(BOT, reply, FACTS)).toMatchObject([
    {
      channel: slackId('publicChannel', CHANNEL),
      thread_ts: ROOT_TS,
      parent_user_id: slackId('user', BOB),
    },
  ]);
});

test('a mention of the bot comes as app_mention besides the message, with the same ts', () => {
  const mention = posted(`<@${BOT}> hi`, { data: { mentions: [BOT] } });
  const [message, mentioned, ...more] = chatEventsFor(BOT, mention, FACTS);
  expect(more).toEqual([]);
  expect(message).toMatchObject({ type: 'message', text: `<@${slackId('user', BOT)}> hi`, ts: TS });
  const { channel_type: _, type: __, ...shared } = message!;
  expect(mentioned).toEqual({ type: 'app_mention', ...shared });
  expect(chatEventsFor(APP, mention, FACTS)).toHaveLength(1);
});

test('a direct chat has no app_mention', () => {
  const mention = posted(`<@${BOT}> hi`, { scope: 'dm', data: { mentions: [BOT] } });
  expect(chatEventsFor(BOT, mention, FACTS)).toMatchObject([{ type: 'message', channel_type: 'im' }]);
});

test('an edit is message_changed and names the message before it', () => {
  const edit = posted('new', { data: { changes: ['text'], edited_at: LATER } }, 'MESSAGE_UPDATED');
  expect(chatEventsFor(BOT, edit, FACTS)).toMatchObject([
    {
      type: 'message',
      subtype: 'message_changed',
      hidden: true,
      ts: LATER_TS,
      event_ts: LATER_TS,
      message: { text: 'new', ts: TS, edited: { user: slackId('user', ANN), ts: LATER_TS } },
      previous_message: { user: slackId('user', ANN), ts: TS },
    },
  ]);
});

test('a pin is pin_added, its removal pin_removed, and neither is an edit', () => {
  const pinned = { changes: ['pin'], pinned_at: LATER, pinned_by: BOB };
  const [added] = chatEventsFor(BOT, posted('x', { data: pinned }, 'MESSAGE_UPDATED'), FACTS);
  expect(added).toMatchObject({
    type: 'pin_added',
    user: slackId('user', BOB),
    item_user: slackId('user', ANN),
    channel_id: slackId('publicChannel', CHANNEL),
    item: { type: 'message', message: { ts: TS }, created: 1_769_850_300 },
  });
  const removed = chatEventsFor(BOT, posted('x', { data: { changes: ['pin'] } }, 'MESSAGE_UPDATED'), FACTS);
  expect(removed).toMatchObject([{ type: 'pin_removed', user: slackId('user', ANN), event_ts: LATER_TS }]);
});

test('a deletion is message_deleted', () => {
  const deleted = posted('', {}, 'MESSAGE_DELETED');
  expect(chatEventsFor(BOT, deleted, FACTS)).toMatchObject([
    {
      type: 'message',
      subtype: 'message_deleted',
      hidden: true,
      ts: LATER_TS,
      deleted_ts: TS,
      previous_message: { ts: TS, user: slackId('user', ANN) },
    },
  ]);
});

test('attached files come with the message and as file_shared', () => {
  const attachments = [
    {
      file_id: FILE,
      file_name: 'report.PDF',
      mime_type: 'application/pdf',
      file_size: 5,
      created_at_unix: 7,
      width: 0,
    },
  ];
  const files = { attachments, attachment_status: 'attached' };
  const [message, shared] = chatEventsFor(BOT, posted('x', { message: files }), FACTS);
  expect(message).toMatchObject({
    subtype: 'file_share',
    files: [{ id: slackId('file', FILE), name: 'report.PDF', filetype: 'pdf', size: 5 }],
  });
  expect(shared).toMatchObject({
    type: 'file_shared',
    file_id: slackId('file', FILE),
    user_id: slackId('user', ANN),
    channel_id: slackId('publicChannel', CHANNEL),
  });
  const pending = { attachments, attachment_status: 'pending' };
  expect(chatEventsFor(BOT, posted('x', { message: pending }), FACTS)).toHaveLength(1);
});

test.each([
  ['REACTION_ADDED', 'reaction_added'],
  ['REACTION_REMOVED', 'reaction_removed'],
])('%s is %s with the author of the message', (type, name) => {
  const reaction = event(type, { data: { message_id: MESSAGE, emoji: '🎉', user_id: ANN } });
  expect(referredMessages({ event: { chat: reaction } })).toEqual([MESSAGE]);
  expect(chatEventsFor(BOT, reaction, FACTS)).toEqual([
    {
      type: name,
      user: slackId('user', ANN),
      reaction: 'tada',
      item: { type: 'message', channel: slackId('publicChannel', CHANNEL), ts: TS },
      item_user: slackId('user', BOB),
      event_ts: LATER_TS,
    },
  ]);
});

test('members who join and leave, with who added them', () => {
  const member = { member_id: BOB, member_type: 'user' };
  expect(chatEventsFor(BOT, event('MEMBER_JOINED', { data: member }), FACTS)).toEqual([
    {
      type: 'member_joined_channel',
      user: slackId('user', BOB),
      channel: slackId('publicChannel', CHANNEL),
      channel_type: 'C',
      team: slackId('space', SPACE),
      inviter: slackId('user', ANN),
      event_ts: LATER_TS,
    },
  ]);
  const [left] = chatEventsFor(BOT, event('MEMBER_LEFT', { data: member }), FACTS);
  expect(left).toMatchObject({ type: 'member_left_channel' });
  expect(left).not.toHaveProperty('inviter');
});

test('channels that are created and archived', () => {
  const data = { name: 'releases', created_by: BOB };
  const events = (type: string, scope: 'public' | 'private') =>
    chatEventsFor(BOT, event(type, { scope, data }), FACTS);
  expect(events('CONVERSATION_CREATED', 'public')).toMatchObject([
    { type: 'channel_created', channel: { name: 'releases', creator: slackId('user', BOB) } },
  ]);
  expect(events('CONVERSATION_CREATED', 'private')).toEqual([]);
  expect(events('CONVERSATION_ARCHIVED', 'public')).toMatchObject([
    { type: 'channel_archive', user: slackId('user', ANN) },
  ]);
  expect(events('CONVERSATION_ARCHIVED', 'private')).toMatchObject([{ type: 'group_archive' }]);
});

test('channels that are renamed and unarchived; topic and purpose have no event', () => {
  const events = (changes: string[], scope: 'public' | 'private' = 'public') =>
    chatEventsFor(BOT, event('CONVERSATION_UPDATED', { scope, data: { name: 'news', changes } }), FACTS);
  expect(events(['name'])).toMatchObject([
    { type: 'channel_rename', channel: { id: slackId('publicChannel', CHANNEL), name: 'news' } },
  ]);
  expect(events(['name', 'unarchived'], 'private')).toMatchObject([
    { type: 'group_rename' },
    { type: 'group_unarchive', user: slackId('user', ANN) },
  ]);
  expect(events(['topic', 'purpose'])).toEqual([]);
});

test('an opened direct chat is app_home_opened', () => {
  const payload = JSON.stringify({
    conversation_id: CHANNEL,
    user_id: ANN,
    opened_at: '2026-01-31T09:00:00.123Z',
  });
  expect(
    directEvents(
      { spaceId: SPACE, botId: BOT },
      { eventId: MESSAGE, eventType: 'DM_OPENED', payload },
      FACTS,
    ),
  ).toEqual([
    {
      type: 'app_home_opened',
      user: slackId('user', ANN),
      channel: slackId('direct', CHANNEL),
      tab: 'messages',
      event_ts: '1769850000.123000',
    },
  ]);
});

test('a thread that was started for a person is assistant_thread_started', () => {
  const direct = {
    eventId: MESSAGE,
    eventType: 'ASSISTANT_THREAD_STARTED' as const,
    payload: JSON.stringify({
      conversation_id: CHANNEL,
      thread_id: ROOT,
      user_id: ANN,
      started_at: '2026-01-31T09:00:00.123Z',
    }),
  };
  expect(referredMessages({ event: { direct } })).toEqual([ROOT]);
  const to = { spaceId: SPACE, botId: BOT };
  expect(directEvents(to, direct, FACTS)).toEqual([
    {
      type: 'assistant_thread_started',
      assistant_thread: {
        user_id: slackId('user', ANN),
        context: {},
        channel_id: slackId('direct', CHANNEL),
        thread_ts: ROOT_TS,
      },
      event_ts: '1769850000.123000',
    },
  ]);
  expect(directEvents(to, direct, { ...FACTS, messages: new Map() })).toEqual([]);
});

test('an assistant gets messages of its direct chat in threads, other bots do not', () => {
  const facts = { ...FACTS, assistants: new Set([BOT]) };
  const threadOf = (botId: string, parts: Parts): unknown =>
    chatEventsFor(botId, posted('x', parts), facts)[0]!['thread_ts'];
  expect(threadOf(BOT, { scope: 'dm' })).toBe(TS);
  expect(threadOf(BOT, { scope: 'dm', head: { thread_id: ROOT } })).toBe(ROOT_TS);
  expect(threadOf(BOT, { scope: 'public' })).toBeUndefined();
  expect(threadOf(APP, { scope: 'dm' })).toBeUndefined();
});

test.each([
  ['USER_CREATED', 'team_join', true],
  ['USER_UPDATED', 'user_change', false],
] as const)('%s is %s with the person', (eventType, type, isActive) => {
  const user = { id: ANN, display_name: 'Ann Lee', role: 'admin', is_active: isActive, email: 'ann@x.test' };
  const payload = JSON.stringify({ event_type: eventType, user, occurred_at: '2026-01-31T09:00:00.123Z' });
  expect(
    directEvents({ spaceId: SPACE, botId: BOT }, { eventId: MESSAGE, eventType, payload }, FACTS),
  ).toMatchObject([
    {
      type,
      user: {
        id: slackId('user', ANN),
        team_id: slackId('space', SPACE),
        real_name: 'Ann Lee',
        deleted: !isActive,
        is_admin: true,
        profile: { email: 'ann@x.test' },
      },
      cache_ts: 1_769_850_000,
      event_ts: '1769850000.123000',
    },
  ]);
});

test('a request to stop a run is agent_session_stopped in the thread of the run', () => {
  const requested = { message_id: MESSAGE, user_id: ANN, requested_at: '2026-01-31T09:00:00.123Z' };
  const direct = {
    eventId: MESSAGE,
    eventType: 'agent_run.stop_requested' as const,
    payload: JSON.stringify(requested),
  };
  expect(referredMessages({ event: { direct } })).toEqual([MESSAGE]);
  expect(directEvents({ spaceId: SPACE, botId: BOT }, direct, FACTS)).toEqual([
    {
      type: 'agent_session_stopped',
      channel: slackId('direct', CHANNEL),
      user: slackId('user', ANN),
      thread_ts: ROOT_TS,
      streaming_message_ts: [TS],
      event_ts: '1769850000.123000',
    },
  ]);
});

test('events without a counterpart are left out', () => {
  expect(chatEventsFor(BOT, event('APPROVAL_REQUESTED'), FACTS)).toEqual([]);
  const decided = { eventId: MESSAGE, eventType: 'approval.decided' as const, payload: '{}' };
  expect(directEvents({ spaceId: SPACE, botId: BOT }, decided, FACTS)).toEqual([]);
});

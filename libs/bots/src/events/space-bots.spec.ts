import type { ChatEvent } from '@tieline/conversations';
import type { BotPlan } from './bot-plan.js';
import { SUBSCRIBABLE_EVENT_TYPES } from './dto/event-types.js';
import { SpaceBots } from './space-bots.js';

const bot = (id: string, more: Partial<BotPlan> = {}): BotPlan => ({
  id,
  eventTypes: [...SUBSCRIBABLE_EVENT_TYPES],
  channelIds: [],
  mode: 'poll',
  ...more,
});

interface EventFields {
  type?: string;
  conversation?: Partial<ChatEvent['conversation']>;
  channel?: string;
  members?: string[];
  actor?: [string, string];
}

function event({
  type = 'MESSAGE_CREATED',
  conversation = {},
  channel = 'c',
  members = [],
  actor = ['ann', 'user'],
}: EventFields = {}): ChatEvent {
  const place = {
    id: 'c',
    type: 'channel',
    scope: 'public',
    is_direct: false,
    is_public: true,
    ...conversation,
  };
  return {
    event_type: type,
    conversation: place,
    channel_id: channel,
    bot_ids: members,
    actor_id: actor[0],
    actor_type: actor[1],
  } as unknown as ChatEvent;
}

const PRIVATE = { scope: 'private', is_public: false } as const;
const DM = { type: 'chat', scope: 'dm', is_direct: true, is_public: false } as const;
const THREAD = { id: 't', type: 'thread' } as const;
const ids = (plans: BotPlan[]): string[] => plans.map(({ id }) => id);

test.each<[string, BotPlan, EventFields, boolean]>([
  ['a public channel reaches every bot', bot('b'), {}, true],
  ['a private channel reaches its members', bot('b'), { conversation: PRIVATE, members: ['b'] }, true],
  ['and no one else', bot('b'), { conversation: PRIVATE, members: ['x'] }, false],
  [
    'a selected private channel',
    bot('b', { channelIds: ['c'] }),
    { conversation: PRIVATE, members: ['b'] },
    true,
  ],
  ['no other one', bot('b', { channelIds: ['x'] }), { conversation: PRIVATE, members: ['b'] }, false],
  [
    'no unselected type in a private channel',
    bot('b', { eventTypes: ['REACTION_ADDED'] }),
    { conversation: PRIVATE, members: ['b'] },
    false,
  ],
  [
    'mode none receives nothing from a private channel',
    bot('b', { mode: 'none' }),
    { conversation: PRIVATE, members: ['b'] },
    false,
  ],
  ['a direct conversation reaches its members', bot('b'), { conversation: DM, members: ['b'] }, true],
  ['and no one else', bot('b'), { conversation: DM, members: ['x'] }, false],
  ['no unselected type', bot('b', { eventTypes: ['REACTION_ADDED'] }), {}, false],
  ['no types, no events', bot('b', { eventTypes: [] }), {}, false],
  ['a selected channel', bot('b', { channelIds: ['c'] }), {}, true],
  ['no unselected channel', bot('b', { channelIds: ['x'] }), {}, false],
  ['a thread is selected by its parent', bot('b', { channelIds: ['c'] }), { conversation: THREAD }, true],
  [
    'a direct conversation is never limited',
    bot('b', { channelIds: ['x'] }),
    { conversation: DM, members: ['b'] },
    true,
  ],
  [
    'no new channel for bots limited to channels',
    bot('b', { channelIds: ['x'] }),
    { type: 'CONVERSATION_CREATED' },
    false,
  ],
  ['a new channel for bots without a limit', bot('b'), { type: 'CONVERSATION_CREATED' }, true],
  ['mode none receives nothing', bot('b', { mode: 'none' }), {}, false],
  ['its own message', bot('b'), { actor: ['b', 'bot'] }, false],
  ['its own reaction', bot('b'), { type: 'REACTION_ADDED', actor: ['b', 'bot'] }, false],
  [
    'a deletion of its message by a person',
    bot('b'),
    { type: 'MESSAGE_DELETED', actor: ['ann', 'user'] },
    true,
  ],
  ['a message of a person with the same id', bot('b'), { actor: ['b', 'user'] }, true],
  [
    'no creation of direct conversations',
    bot('b'),
    { type: 'CONVERSATION_CREATED', conversation: DM, members: ['b'] },
    false,
  ],
  ['no archiving of threads', bot('b'), { type: 'CONVERSATION_ARCHIVED', conversation: THREAD }, false],
])('%s', (_what, plan, given, expected) => {
  expect(ids(SpaceBots.of([plan]).matching(event(given)))).toEqual(expected ? ['b'] : []);
});

test('DM streams receive messages of direct conversations and their threads, whatever the mode and types', () => {
  const bots = SpaceBots.of([bot('a', { mode: 'none', eventTypes: [] }), bot('b')]);
  expect(bots.streaming(event({ conversation: DM, members: ['a', 'b', 'gone'] }))).toEqual(['a', 'b']);
  expect(
    bots.streaming(
      event({ conversation: { ...DM, type: 'thread' }, members: ['a', 'b'], actor: ['b', 'bot'] }),
    ),
  ).toEqual(['a']);
  expect(bots.streaming(event({ conversation: DM, members: ['a'], type: 'MESSAGE_UPDATED' }))).toEqual([]);
  expect(bots.streaming(event({ conversation: PRIVATE, members: ['a'] }))).toEqual([]);
});

test('a change creates a new value', () => {
  const before = SpaceBots.of([bot('a')]);
  const after = before.with('a', bot('a', { eventTypes: [] })).with('b', bot('b'));
  expect(ids(before.matching(event()))).toEqual(['a']);
  expect(ids(after.matching(event()))).toEqual(['b']);
  expect(after.with('b', null).find('b')).toBeUndefined();
  expect(after.find('a')?.mode).toBe('poll');
});

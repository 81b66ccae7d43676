import { chatEvents } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { SUBSCRIBABLE_EVENT_TYPES, TRIGGERED_EVENT_TYPES } from './event-types.js';
import type { SubscriptionConfig } from './subscription-config.js';
import { SpaceSubscriptions } from './subscription-matching.js';
import { chatEvent, CONVERSATIONS, IDS } from '../testing/chat-events.js';

const EMITTED = chatEvents.all.map(({ event }) => event);

const config = (changes: Partial<SubscriptionConfig> = {}): SubscriptionConfig => ({
  id: 's',
  eventTypes: [...SUBSCRIBABLE_EVENT_TYPES],
  channelIds: [],
  trigger: 'all',
  triggerConfig: {},
  includeContext: false,
  contextSize: 10,
  ...changes,
});
const gets = (changes: Partial<SubscriptionConfig>, event: ChatEvent): boolean =>
  SpaceSubscriptions.of([config(changes)]).matching(event).length === 1;

describe('subscriptions that receive an event', () => {
  test.each(EMITTED)('%s reaches only the subscriptions that select it', (type) => {
    const event = chatEvent({ type });
    expect(gets({ eventTypes: [type] }, event)).toBe(true);
    expect(gets({ eventTypes: SUBSCRIBABLE_EVENT_TYPES.filter((other) => other !== type) }, event)).toBe(
      false,
    );
  });

  test.each(['channel', 'private', 'voice', 'thread'] as const)('messages in a %s are covered', (kind) => {
    expect(gets({}, chatEvent({ conversation: CONVERSATIONS[kind] }))).toBe(true);
  });

  test.each(['dm', 'dmThread'] as const)('nothing in a %s is covered', (kind) => {
    for (const type of EMITTED)
      expect(gets({}, chatEvent({ type, conversation: CONVERSATIONS[kind] }))).toBe(false);
  });

  test('a thread is filtered by its parent channel', () => {
    const event = chatEvent({ conversation: CONVERSATIONS.thread });
    expect(gets({ channelIds: [IDS.channel] }, event)).toBe(true);
    expect(gets({ channelIds: [IDS.thread] }, event)).toBe(false);
  });

  test('channel_ids selects only these channels', () => {
    expect(gets({ channelIds: [IDS.other, IDS.channel] }, chatEvent())).toBe(true);
    expect(gets({ channelIds: [IDS.other] }, chatEvent())).toBe(false);
  });

  test('CONVERSATION_CREATED needs empty channel_ids, CONVERSATION_ARCHIVED follows the filter', () => {
    expect(gets({}, chatEvent({ type: 'CONVERSATION_CREATED' }))).toBe(true);
    expect(gets({ channelIds: [IDS.channel] }, chatEvent({ type: 'CONVERSATION_CREATED' }))).toBe(false);
    expect(gets({ channelIds: [IDS.channel] }, chatEvent({ type: 'CONVERSATION_ARCHIVED' }))).toBe(true);
    expect(gets({ channelIds: [IDS.other] }, chatEvent({ type: 'CONVERSATION_ARCHIVED' }))).toBe(false);
  });

  test.each(['CONVERSATION_CREATED', 'CONVERSATION_ARCHIVED'] as const)('threads emit no %s', (type) => {
    expect(gets({}, chatEvent({ type, conversation: CONVERSATIONS.thread }))).toBe(false);
  });
});

describe('triggers', () => {
  const mention = (userIds?: string[]): Partial<SubscriptionConfig> => ({
    trigger: 'mention',
    triggerConfig: userIds ? { user_ids: userIds } : {},
  });

  test.each(['MESSAGE_CREATED', 'MESSAGE_UPDATED'] as const)(
    'mention: any mention in a %s, or one of the given people',
    (type) => {
      const mentioning = chatEvent({ type, mentions: [IDS.person] });
      expect(gets(mention(), mentioning)).toBe(true);
      expect(gets(mention([]), mentioning)).toBe(true);
      expect(gets(mention([IDS.other, IDS.person]), mentioning)).toBe(true);
      expect(gets(mention([IDS.other]), mentioning)).toBe(false);
      expect(gets(mention(), chatEvent({ type, text: 'hi @channel' }))).toBe(false);
    },
  );

  test.each(['MESSAGE_CREATED', 'MESSAGE_UPDATED'] as const)('keywords: in the text of a %s', (type) => {
    const keywords: Partial<SubscriptionConfig> = {
      trigger: 'keywords',
      triggerConfig: { keywords: ['deploy', 'on call'] },
    };
    expect(gets(keywords, chatEvent({ type, text: 'who is On Call?' }))).toBe(true);
    expect(gets(keywords, chatEvent({ type, text: 'deployment' }))).toBe(false);
  });

  test.each([
    [['text'], true],
    [['text', 'metadata'], true],
    [undefined, true],
    [['metadata'], false],
    [['pin'], false],
    [['attachments', 'metadata'], false],
  ])('an update whose changes are %j passes keywords and mentions: %s', (changes, passes) => {
    const event = chatEvent({ type: 'MESSAGE_UPDATED', text: 'deploy', mentions: [IDS.person] });
    Object.assign(event.data, changes && { changes });
    expect(gets(mention(), event)).toBe(passes);
    expect(gets({ trigger: 'keywords', triggerConfig: { keywords: ['deploy'] } }, event)).toBe(passes);
    expect(gets({}, event)).toBe(true);
  });

  test.each(EMITTED.filter((type) => !TRIGGERED_EVENT_TYPES.has(type)))('%s ignores the trigger', (type) => {
    expect(gets(mention([IDS.other]), chatEvent({ type }))).toBe(true);
    expect(gets({ trigger: 'keywords', triggerConfig: { keywords: ['nothing'] } }, chatEvent({ type }))).toBe(
      true,
    );
  });
});

describe('a set of subscriptions', () => {
  test('is immutable: a change returns a new set', () => {
    const before = SpaceSubscriptions.of([config({ id: 'a' }), config({ id: 'b' })]);
    const after = before
      .with('a', null)
      .with('c', config({ id: 'c' }))
      .with('b', config({ id: 'b', eventTypes: ['REACTION_ADDED'] }));
    expect(before.matching(chatEvent()).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(after.matching(chatEvent()).map(({ id }) => id)).toEqual(['c']);
  });
});

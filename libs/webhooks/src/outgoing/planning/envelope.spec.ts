import { chatEvents } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { withContext } from './envelope.js';
import { chatEvent, CONVERSATIONS, IDS } from '../testing/chat-events.js';

const ORDER = [
  'event_id',
  'event_type',
  'space_id',
  'conversation_id',
  'thread_id',
  'actor_user_id',
  'occurred_at',
  'schema_version',
  'data',
];

describe('the envelope', () => {
  test('has the documented fields in the documented order', () => {
    const event = chatEvent({ conversation: CONVERSATIONS.thread });
    const parsed = JSON.parse(chatEvents.envelopeOf(event)) as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(ORDER);
    expect(parsed).toEqual({
      event_id: IDS.event,
      event_type: 'MESSAGE_CREATED',
      space_id: IDS.space,
      conversation_id: IDS.thread,
      thread_id: IDS.root,
      actor_user_id: IDS.person,
      occurred_at: event.occurred_at,
      schema_version: 1,
      data: event.data,
    });
    expect(Object.keys(parsed['data'] as object)).toEqual(Object.keys(event.data));
  });

  test.each([
    ['user', IDS.person],
    ['bot', IDS.person],
    ['webhook', IDS.person],
    ['system', ''],
  ] as const)('actor_user_id of a %s', (actorType, expected) => {
    expect(JSON.parse(chatEvents.envelopeOf(chatEvent({ actorType })))).toMatchObject({
      actor_user_id: expected,
    });
  });

  test('uses the message author as actor for events of older workers without one', () => {
    const event = { ...chatEvent({ actorType: 'bot' }), actor_id: null, message: { author_id: IDS.other } };
    expect(JSON.parse(chatEvents.envelopeOf(event as unknown as ChatEvent))).toMatchObject({
      actor_user_id: IDS.other,
    });
  });

  test('has an empty thread_id outside of threads', () => {
    expect(JSON.parse(chatEvents.envelopeOf(chatEvent()))).toMatchObject({
      thread_id: '',
      conversation_id: IDS.channel,
    });
  });

  test('context comes last and leaves the other bytes unchanged', () => {
    const text = chatEvents.envelopeOf(chatEvent({ text: 'a "}" ✓' }));
    const context = {
      messages: [
        { id: IDS.root, content: 'x', author_id: IDS.other, created_at: '2026-01-02T03:04:05.000000000Z' },
      ],
      context_error: false,
    };
    const extended = withContext(text, context);
    expect(extended.startsWith(text.slice(0, -1))).toBe(true);
    expect(Object.keys(JSON.parse(extended) as object)).toEqual([...ORDER, 'context']);
    expect(JSON.parse(extended)).toEqual({ ...(JSON.parse(text) as object), context });
  });

  test('data may be null', () => {
    const head = {
      eventId: 'e',
      eventType: 't',
      spaceId: 's',
      conversationId: '',
      threadId: '',
      actorUserId: '',
      occurredAt: 'now',
    };
    expect(JSON.parse(chatEvents.envelope({ ...head, data: null }))).toMatchObject({
      data: null,
      conversation_id: '',
    });
  });
});

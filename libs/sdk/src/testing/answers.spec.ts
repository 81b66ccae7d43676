import { answerOf, awaitedBy } from './answers.js';
import { elementsOf, newestWith } from './messages.js';
import type { SeenMessage } from './messages.js';

const MODAL = { title: 'Form', fields: [] };

test.each([
  [{ result: 'queued' }, { result: 'pending' }],
  [{ result: 'ack', text: 'The bot will answer' }, { result: 'pending' }],
  [{ result: 'duplicate' }, { result: 'duplicate' }],
  [{ result: 'noop' }, { result: 'noop' }],
  [
    { result: 'ephemeral', ephemeral_text: 'Hi' },
    { result: 'ephemeral', text: 'Hi' },
  ],
  [
    { result: 'ephemeral', text: 'Hi' },
    { result: 'ephemeral', text: 'Hi' },
  ],
  [
    { event: 'ephemeral', text: 'Hi' },
    { result: 'ephemeral', text: 'Hi' },
  ],
  [
    { result: 'in_channel', message_id: 'm' },
    { result: 'message', messageId: 'm' },
  ],
  [
    { result: 'update_message', message_id: 'm' },
    { result: 'message', messageId: 'm' },
  ],
  [
    { result: 'open_modal', modal: MODAL, modal_token: 't' },
    { result: 'modal', modal: MODAL, modalToken: 't' },
  ],
  [
    { event: 'modal.push', modal: MODAL, modal_token: 't' },
    { result: 'modal', modal: MODAL, modalToken: 't' },
  ],
  [
    { result: 'errors', errors: { a: 'no' } },
    { result: 'errors', errors: { a: 'no' } },
  ],
  [
    { event: 'modal.errors', errors: { a: 'no' } },
    { result: 'errors', errors: { a: 'no' } },
  ],
])('%j is %j', (answer, expected) => expect(answerOf(answer)).toEqual(expected));

describe('an answer is completed by', () => {
  const message = { event: 'message.new', conversation_id: 'c', author_id: 'bot', message_id: 'm' };

  test.each([
    ['a text for the person', { event: 'ephemeral' }, true],
    ['a message of the bot', message, true],
    ['an edited one', { ...message, event: 'message.edited' }, true],
    [
      'one in a thread',
      { ...message, conversation_id: 't', conversation_context: { parent_conversation_id: 'c' } },
      true,
    ],
    ['one of another conversation', { ...message, conversation_id: 'd' }, false],
    ['their own', { ...message, author_id: 'me' }, false],
    ['a reaction', { event: 'reaction.added' }, false],
  ])('while a bot has not answered: %s', (_, event, expected) =>
    expect(awaitedBy({ result: 'pending' }, 'c', 'me')!(event)).toBe(expected),
  );

  test('the message with the known id', () => {
    const isAwaited = awaitedBy({ result: 'message', messageId: 'm' }, 'c')!;
    expect([message, { ...message, message_id: 'n' }, { event: 'ephemeral' }].map(isAwaited)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('nothing if it is already complete', () => {
    for (const result of ['noop', 'modal', 'errors', 'ephemeral', 'duplicate'] as const)
      expect(awaitedBy({ result }, 'c')).toBeUndefined();
  });
});

test('finds the newest message with an element', () => {
  const withButton = (id: string, ...actions: string[]): SeenMessage =>
    ({
      id,
      metadata_json: JSON.stringify({
        version: 1,
        blocks: [
          { type: 'divider' },
          { type: 'actions', elements: actions.map((action_id) => ({ type: 'button', action_id })) },
        ],
      }),
    }) as SeenMessage;
  const messages = [
    withButton('1', 'a'),
    withButton('2', 'b', 'a'),
    withButton('3', 'c'),
    { id: '4' } as SeenMessage,
  ];
  expect(newestWith(messages, 'a')?.message.id).toBe('2');
  expect(newestWith(messages, 'z')).toBeUndefined();
  expect(elementsOf({ metadata_json: '' })).toEqual([]);
});

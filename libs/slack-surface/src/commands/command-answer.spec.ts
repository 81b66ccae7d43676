import { slackId } from '../ids/slack-ids.js';
import { commandAnswer, textOf } from './command-answer.js';

const ANN = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';

test.each([
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['an empty object', {}],
])('%s acknowledges a command', (_, answer) => {
  expect(commandAnswer(answer)).toBeUndefined();
});

test('a text is shown to the person', () => {
  expect(commandAnswer('*hi*')).toEqual({ response_type: 'ephemeral', text: '**hi**' });
});

test('an object with a text is shown to the person, or posted in the channel', () => {
  expect(commandAnswer({ text: 'hi' })).toEqual({ response_type: 'ephemeral', text: 'hi' });
  const posted = { response_type: 'in_channel', text: `hi <@${slackId('user', ANN)}>` };
  expect(commandAnswer(posted)).toEqual({ response_type: 'in_channel', text: `hi <@${ANN}>` });
});

test.each([[5], [[]], [{ unknown: 1 }]])('%j stays and is refused as every other answer', (answer) => {
  expect(commandAnswer(answer)).toEqual(answer);
});

test('blocks and attachments without a text become a text', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Build' } },
    { type: 'section', text: { type: 'mrkdwn', text: '*ok*' }, fields: [{ type: 'mrkdwn', text: 'a' }] },
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: 'by <https://example.com|CI>' }, { type: 'image' }],
    },
    { type: 'divider' },
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'for ' },
            { type: 'user', user_id: slackId('user', ANN) },
          ],
        },
      ],
    },
  ];
  const attachments = [
    { pretext: 'before', fields: [{ title: 'env', value: 'live' }] },
    { fallback: 'plain' },
  ];
  expect(textOf({ blocks, attachments })).toBe(
    [
      ...['**Build**', '**ok**', 'a', 'by [CI](https://example.com)', `for <@${ANN}>`],
      ...['before', 'env: live', 'plain'],
    ].join('\n\n'),
  );
  expect(textOf({ blocks: [{ type: 'divider' }] })).toBeUndefined();
});

test('mrkdwn false keeps the text literal', () => {
  expect(textOf({ text: '*a*', mrkdwn: false })).toBe('*a*');
});

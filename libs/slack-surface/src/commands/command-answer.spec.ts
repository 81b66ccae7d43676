import { slackId } from '../ids/slack-ids.js';
import { commandAnswer } from './command-answer.js';

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
  expect(commandAnswer('*hi*')).toMatchObject({ answer: { responseType: 'ephemeral', text: '**hi**' } });
});

test('an object with a text is shown to the person, or posted in the channel', () => {
  expect(commandAnswer({ text: 'hi' })).toMatchObject({ answer: { responseType: 'ephemeral', text: 'hi' } });
  const posted = { response_type: 'in_channel', text: `hi <@${slackId('user', ANN)}>` };
  expect(commandAnswer(posted)).toMatchObject({
    answer: { responseType: 'in_channel', text: `hi <@${ANN}>` },
  });
});

test.each([[5], [[]], [{ unknown: 1 }], [{ blocks: [{ type: 'section' }] }]])(
  '%j stays and is refused as every other answer',
  (answer) => {
    expect(commandAnswer(answer)).toEqual(answer);
  },
);

test('blocks and attachments without a text become a text, and blocks stay as they were sent', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Build' } },
    { type: 'section', text: { type: 'mrkdwn', text: '*ok*' } },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: slackId('user', ANN) }] }],
    },
  ];
  const { answer } = commandAnswer({ blocks, attachments: [{ text: 'plain' }] }) as { answer: any };
  for (const part of ['Build', 'ok', `<@${ANN}>`, 'plain']) expect(answer.text).toContain(part);
  expect(answer).toMatchObject({ textDerived: true, hasElements: false });
  expect(JSON.parse(answer.sourceJson).blocks).toEqual(blocks);
  const actions = {
    type: 'actions',
    elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' } }],
  };
  expect(commandAnswer({ text: 'x', blocks: [actions] })).toMatchObject({ answer: { hasElements: true } });
});

test('mrkdwn false keeps the text literal', () => {
  expect(commandAnswer({ text: '*a*', mrkdwn: false })).toMatchObject({ answer: { text: '\\*a\\*' } });
});

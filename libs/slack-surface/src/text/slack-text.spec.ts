import { slackId } from '../ids/slack-ids.js';
import { richTextBlocks } from './rich-text.js';
import { slackText } from './slack-text.js';

const ANN = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';

test.each([
  ['plain text', 'plain text'],
  ['two\nlines', 'two\nlines'],
  ['a & b < c', 'a &amp; b &lt; c'],
  ['**bold** *italic* ~~gone~~ `a < b`', '*bold* _italic_ ~gone~ `a &lt; b`'],
  ['# Title\n\ntext', '*Title*\n\ntext'],
  ['[docs](https://example.com/a)', '<https://example.com/a|docs>'],
  ['https://example.com/?a=1&b=2', '<https://example.com/?a=1&b=2>'],
  [`hi <@${ANN}> and @channel`, `hi <@${slackId('user', ANN)}> and <!channel>`],
  ['- one\n- two', '• one\n• two'],
  ['3. one\n4. two', '3. one\n4. two'],
  ['> quoted\n> text', '> quoted\n> text'],
  ['```\na < b\n```', '```\na &lt; b\n```'],
  ['a\n\nb', 'a\n\nb'],
  ['', ''],
])('converts %j', (markdown, expected) => {
  expect(slackText(markdown)).toBe(expected);
});

const elementsOf = (markdown: string): unknown => richTextBlocks(markdown, 'b')[0]?.['elements'];

test('rich text has users, broadcasts, links and styles', () => {
  expect(elementsOf(`**bold *both*** <@${ANN}> @here [docs](https://example.com/) \`x\``)).toEqual([
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'bold ', style: { bold: true } },
        { type: 'text', text: 'both', style: { bold: true, italic: true } },
        { type: 'text', text: ' ' },
        { type: 'user', user_id: slackId('user', ANN) },
        { type: 'text', text: ' ' },
        { type: 'broadcast', range: 'here' },
        { type: 'text', text: ' ' },
        { type: 'link', url: 'https://example.com/', text: 'docs' },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'x', style: { code: true } },
      ],
    },
  ]);
});

test('rich text has lists, quotes and preformatted text', () => {
  const text = (value: string): unknown => ({ type: 'text', text: value });
  const section = (value: string): unknown => ({ type: 'rich_text_section', elements: [text(value)] });
  expect(elementsOf('before\n\n- one\n  - inner\n\n> quoted\n\n```\ncode\n```')).toEqual([
    section('before'),
    { type: 'rich_text_list', style: 'bullet', indent: 0, elements: [section('one')] },
    { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section('inner')] },
    { type: 'rich_text_quote', elements: [text('quoted')] },
    { type: 'rich_text_preformatted', elements: [text('code')] },
  ]);
});

test('an empty text has no block', () => {
  expect(richTextBlocks('', 'b')).toEqual([]);
});

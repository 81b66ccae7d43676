import { processorMs } from '@tieline/testing';
import { previewOf } from './preview.js';

test.each<[string, string, object | string | undefined, string]>([
  ['its text', ' hello ', { attachments: [{ title: 'x' }] }, 'hello'],
  ['an attachment’s fallback', '', { attachments: [{ title: 't', fallback: 'f' }] }, 'f'],
  ['its title', '', { attachments: [{ title: 't', text: 'x' }] }, 't'],
  [
    'a block’s text',
    '',
    { blocks: [{ type: 'divider' }, { type: 'header', text: { type: 'plain_text', text: 'h' } }] },
    'h',
  ],
  ['nothing', '', undefined, ''],
  ['no JSON', '', '{', ''],
])('shows %s', (_what, text, metadata, expected) => {
  const json = typeof metadata === 'object' ? JSON.stringify(metadata) : metadata;
  expect(previewOf({ text, ...(json !== undefined && { metadata_json: json }) })).toBe(expected);
});

test('is cut at 300 characters, never within a character', () => {
  expect(previewOf({ text: '😀'.repeat(300) })).toBe('😀'.repeat(300));
  expect(previewOf({ text: '😀'.repeat(301) })).toBe(`${'😀'.repeat(299)}…`);
});

test.each([
  ['**Deploy** of _api_ ~~failed~~', 'Deploy of api failed'],
  ['see [the log](https://ci.example/1) <https://ci.example/2>', 'see the log https://ci.example/2'],
  ['# Disk full\n\n- `web-1`\n- web-2', 'Disk full\n• web-1\n• web-2'],
  ['```\nrm -rf *\n```', 'rm -rf *'],
  ['> quoted\nlines', 'quoted\nlines'],
  ['2 * 3 * 4 and snake_case_name &amp; <b>', '2 * 3 * 4 and snake_case_name & <b>'],
  ['![a cat](https://img.example/cat.png)', 'a cat'],
  ['<@01a20390-9e48-725b-82ed-1eb4fb1cb284> please', '<@01a20390-9e48-725b-82ed-1eb4fb1cb284> please'],
])('pushes show plain text, not Markdown: %j', (text, expected) => {
  expect(previewOf({ text })).toBe(expected);
});

test.each(['[', '*', '`', '> ', '![](', '<', '_a*', '- ', '\\'])(
  'a text of only %j takes no noticeable time',
  (mark) => {
    const text = mark.repeat(4000 / mark.length);
    expect(processorMs(() => previewOf({ text }))).toBeLessThan(200);
  },
);

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

test('is cut at 300 characters, never within one', () => {
  expect(previewOf({ text: '😀'.repeat(300) })).toBe('😀'.repeat(300));
  expect(previewOf({ text: '😀'.repeat(301) })).toBe(`${'😀'.repeat(299)}…`);
});

import { readMessage } from '../read-message.js';
import type { ReadingOptions } from '../read-message.js';
import type { IncomingMessage } from '../message/incoming-message.js';

const ANNA = '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11';

function message(body: unknown, options: ReadingOptions = {}): IncomingMessage {
  const parsed = readMessage(body, options);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

describe('attachments in unusual places', () => {
  test('accepts attachment fields at the top level (mattermost#5265)', () => {
    const fields = [{ title: 'Task', value: 'deploy' }];
    expect(message({ fallback: 'Task set: bob', color: 'danger', fields })).toMatchObject({
      text: 'Task: deploy',
      textDerived: true,
      severity: 'critical',
      metadata: { attachments: [{ fallback: 'Task set: bob', color: 'danger', fields }] },
    });
  });

  test('with a text, the title of such an attachment becomes its first line', () => {
    expect(
      message({ text: 'on db1', title: 'Disk full', color: 'warning', fields: [{ title: 'a' }] }),
    ).toMatchObject({
      text: 'Disk full\non db1',
      severity: 'warning',
      metadata: { attachments: [{ color: 'warning', fields: [{ title: 'a' }] }] },
    });
  });

  test('accepts lists as JSON text (django-slack#23)', () => {
    expect(
      message({ text: 'Build done', attachments: '[{"text":"x"}]', blocks: '[{"type":"divider"}]' }),
    ).toMatchObject({
      text: 'Build done',
      metadata: { attachments: [{ text: 'x' }], blocks: [{ type: 'divider' }] },
    });
    expect(readMessage({ text: 'a', attachments: '{"text":"x"}' })).toMatchObject({ ok: false });
  });
});

test('with a text, a title becomes its first line', () => {
  expect(message({ title: 'Backup *failed*', text: 'on db1' }).text).toBe('Backup **failed**\non db1');
  expect(message({ title: 7, text: 'on db1' }).text).toBe('7\non db1');
  expect(message({ title: {}, text: 'on db1' }).text).toBe('on db1');
});

test('text with mrkdwn: false is literal', () => {
  const text = `error: _x_ a*b*c @channel <@${ANNA}> &lt;`;
  expect(message({ text, mrkdwn: false })).toMatchObject({
    text: String.raw`error: \_x\_ a\*b\*c \@channel \<\@${ANNA}> \&lt;`,
    mentionsChannel: false,
  });
});

test('puts code fences in attachments and blocks on separate lines and changes nothing else', () => {
  const code = '*log* ```First line\n Second```';
  const fixed = '*log* \n```\nFirst line\n Second\n```';
  expect(
    message({
      attachments: [{ text: code, pretext: code, fields: [{ title: 'a', value: code }] }],
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: code } }],
    }).metadata,
  ).toEqual({
    attachments: [{ text: fixed, pretext: fixed, fields: [{ title: 'a', value: fixed }] }],
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: fixed } }],
  });
});

describe('blocks without an equivalent are converted to text', () => {
  const richText = {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'Hello ' },
          { type: 'text', text: 'World', style: { bold: true } },
          { type: 'text', text: ' <b> & ' },
          { type: 'link', url: 'https://x.example', text: 'log' },
          { type: 'emoji', name: 'rocket', unicode: '1f680' },
          { type: 'user', user_id: ANNA },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
      },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'a *b*\nc' }] },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'said' }] },
    ],
  };
  const derived = `Hello **World** <b> & [log](https://x.example)🚀<@${ANNA}>\n1. one\n\`\`\`\na *b*\nc\n\`\`\`\n> said`;

  test('rich_text (bolt-js#1324)', () => {
    const { text, textDerived, notes, metadata } = message({ blocks: [richText] });
    expect({ text, textDerived, notes }).toEqual({
      text: derived,
      textDerived: true,
      notes: ['blocks[0]: shown as text, blocks of type rich_text are not shown'],
    });
    expect(metadata).toMatchObject({ blocks: [{ type: 'section', text: { type: 'mrkdwn' } }] });
  });

  test('rich_text in an attachment (matterbridge#2062)', () => {
    expect(message({ attachments: [{ blocks: [richText] }] }).text).toBe(derived);
  });

  test.each([
    [
      { type: 'markdown', text: '## Done\n**bold** [log](https://x.example)\n- `**a**`' },
      '**Done**\n**bold** [log](https://x.example)\n- `**a**`',
    ],
    [
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'Host' },
            { type: 'raw_text', text: 'State' },
          ],
          [
            { type: 'raw_text', text: 'db1' },
            { type: 'raw_text', text: 'down' },
          ],
        ],
      },
      'Host | State\ndb1 | down',
    ],
    [
      {
        type: 'video',
        title: { type: 'plain_text', text: 'Demo' },
        title_url: 'https://x.example/v',
        description: { type: 'plain_text', text: 'how it fails' },
      },
      '[Demo](https://x.example/v)\nhow it fails',
    ],
  ])('%j', (block, text) => {
    expect(message({ blocks: [block] })).toMatchObject({
      text,
      notes: [`blocks[0]: shown as text, blocks of type ${block.type} are not shown`],
    });
  });

  test('drops them if they contain no text', () => {
    for (const type of ['rich_text', 'markdown', 'table', 'video'])
      for (const elements of [undefined, null, 7, 'x', [null], [[7]], [{ elements: [7, { style: 7 }] }]])
        expect(
          message({ text: 'a', blocks: [{ type, elements, rows: elements, title: elements }] }),
        ).toMatchObject({
          notes: [`blocks[0]: dropped, blocks of type ${type} are not shown`],
        });
  });
});

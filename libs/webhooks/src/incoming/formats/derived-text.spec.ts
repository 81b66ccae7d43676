import { readMessage } from '../read-message.js';
import type { IncomingMessage } from '../message/incoming-message.js';

function shown(body: unknown): IncomingMessage {
  const parsed = readMessage(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}
const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });
const plain = (text: string): object => ({ type: 'plain_text', text });
const image = (alt: string): object => ({
  type: 'image',
  image_url: 'https://x.example/i.png',
  alt_text: alt,
});

describe('derived text of a message without text', () => {
  test.each<[string, object, string]>([
    [
      'blocks: header, section, its fields, context',
      {
        blocks: [
          { type: 'header', text: plain('Deploy') },
          { type: 'section', text: mrkdwn('*failed*'), fields: [mrkdwn('env'), plain('prod')] },
          { type: 'divider' },
          { type: 'context', elements: [image('logo'), mrkdwn('by <https://x.example|ci>')] },
          { ...image('graph'), title: plain('CPU') },
        ],
      },
      'Deploy\n**failed**\nenv\nprod\nby [ci](https://x.example)',
    ],
    [
      'attachments: pretext, title, text, fields with and without title or value',
      {
        attachments: [
          {
            fallback: 'not this',
            pretext: 'new',
            title: 'Disk',
            text: '_full_ &amp; slow',
            fields: [{ title: 'host', value: 'db1' }, { title: 'alone' }, { value: 7 }],
            footer: 'nor this',
          },
          { title: 'second' },
        ],
      },
      'new\nDisk\n*full* & slow\nhost: db1\nalone\n7\nsecond',
    ],
    [
      'blocks first, then attachments, each with its blocks',
      {
        attachments: [
          { title: 'one' },
          { blocks: [{ type: 'section', text: mrkdwn('inside') }] },
          { title: 'three' },
        ],
        blocks: [{ type: 'header', text: plain('top') }],
      },
      'top\none\ninside\nthree',
    ],
    [
      'fallbacks if there is no other text',
      { attachments: [{ fallback: '*f*', image_url: 'https://x.example/i.png' }, { fallback: 'g' }] },
      '**f**\ng',
    ],
    [
      'alternative texts of images if there is nothing else',
      {
        blocks: [
          image('one'),
          { type: 'section', accessory: image('two') },
          { type: 'context', elements: [image('three')] },
        ],
        attachments: [{ blocks: [image('four')] }],
      },
      'one\ntwo\nthree\nfour',
    ],
    ['no words at all', { attachments: [{ image_url: 'https://x.example/i.png' }] }, ''],
    ['a blank text is none', { text: ' \n', attachments: [{ title: 'a' }] }, 'a'],
    ['a text that was sent stays alone', { text: 'sent', attachments: [{ title: 'a' }] }, 'sent'],
  ])('%s', (_what, body, text) => {
    expect(shown(body).text).toBe(text);
  });

  test('leaves blocks and attachments unchanged', () => {
    const attachments = [{ title: '*t*', fallback: 'f', fields: [{ title: 'a', value: '<!here>' }] }];
    expect(shown({ attachments }).metadata).toEqual({ attachments });
  });

  test('mentions everyone if it contains @channel or @here', () => {
    expect(shown({ attachments: [{ text: '<!channel>' }] })).toMatchObject({
      mentionsChannel: true,
      mentionsHere: false,
    });
    expect(shown({ blocks: [{ type: 'section', text: mrkdwn('@here') }] })).toMatchObject({
      mentionsHere: true,
    });
    expect(shown({ text: 'x', attachments: [{ text: '<!channel>' }] })).toMatchObject({
      mentionsChannel: false,
    });
  });

  test('is cut at 4000 characters', () => {
    const attachments = [{ title: 'a'.repeat(3000) }, { title: '😀'.repeat(3000) }];
    expect([...shown({ attachments }).text]).toHaveLength(4000);
    expect(shown({ attachments }).text).toMatch(/😀…$/);
    expect(shown({ attachments }).notes).toEqual([]);
  });
});

describe('severity from colors', () => {
  test.each([
    ['danger', 'critical'],
    ['Warning', 'warning'],
    ['good', 'info'],
    ['#D63232', 'critical'],
    ['#e01e5a', 'critical'],
    ['a30200', 'critical'],
    ['#f00', 'critical'],
    ['#d20f2aff', 'critical'],
    ['#DAA038', 'warning'],
    ['#ff8c00', 'warning'],
    ['#CACF29', 'warning'],
    ['#ffff00', 'warning'],
    ['#36a64f', 'info'],
    ['#2eb886', 'info'],
    ['#18be52', 'info'],
    ['#3AA3E3', 'warning'],
    ['#345', 'warning'],
    ['#800080', 'warning'],
    ['#cccccc', 'warning'],
    ['#000', 'warning'],
    ['#fff5f5', 'warning'],
    ['mauve', 'warning'],
  ])('%s: %s', (color, severity) => {
    expect(shown({ attachments: [{ title: 'a', color }] }).severity).toBe(severity);
  });

  test('the most severe color counts, even of an attachment without content', () => {
    const attachments = [
      { title: 'a', color: 'good' },
      { color: 'danger' },
      { title: 'c', color: '#3AA3E3' },
    ];
    expect(shown({ text: 'x', attachments }).severity).toBe('critical');
    expect(shown({ attachments: attachments.slice(0, 1) }).severity).toBe('info');
  });

  test('an explicit severity wins, and only it is in the metadata', () => {
    const attachments = [{ title: 'a', color: 'danger' }];
    expect(shown({ severity: 'info', attachments })).toMatchObject({
      severity: 'info',
      metadata: { severity: 'info' },
    });
    expect(shown({ attachments }).metadata).toEqual({ attachments });
  });

  test('colors are ignored if the webhook has it disabled', () => {
    const parsed = readMessage(
      { attachments: [{ title: 'a', color: 'danger' }] },
      { severityFromColor: false },
    );
    expect(parsed).toMatchObject({ ok: true, message: { severity: 'warning' } });
  });
});

import fc from 'fast-check';
import { parseIncoming } from './formats.js';
import type { IncomingMessage } from './formats.js';

const ANNA = '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11';

function message(body: unknown): IncomingMessage {
  const parsed = parseIncoming(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

const metadata = (body: object): unknown => message({ text: 'x', ...body }).metadata;
const reason = (body: unknown): unknown => parseIncoming(body);

describe('which format', () => {
  test.each([
    ['text', { text: '*a*' }, '**a**'],
    ['a number as text', { text: 7.5 }, '7.5'],
    ['message.content is Markdown already', { message: { content: '*a* &amp; <https://x.example|l>' } }, '*a* &amp; <https://x.example|l>'],
    ['both: the block-kit style wins', { text: 'a', message: { content: 'b' } }, 'a'],
    ['an empty text is none', { text: '', attachments: null, message: { content: 'b' } }, 'b'],
  ])('%s', (_what, body, text) => {
    expect(message(body).text).toBe(text);
  });

  test.each([
    ['nothing known', { hello: 'x' }],
    ['only nulls', { text: null, attachments: '', message: { content: '' } }],
    ['message is null', { message: null }],
  ])('neither: %s', (_what, body) => {
    expect(reason(body)).toEqual({ ok: false, reason: expect.stringContaining('unknown format') });
  });

  test.each([
    ['no object', []],
    ['message is a text', { message: 'x' }],
    ['text is an object', { text: {} }],
    ['attachments is an object', { attachments: {} }],
    ['blocks is a text', { blocks: 'x' }],
    ['an attachment is a text', { attachments: ['x'] }],
    ['username is an object', { text: 'a', username: {} }],
    ['icon_url is a number', { text: 'a', icon_url: 1 }],
    ['silent is a text', { text: 'a', silent: 'true' }],
    ['severity is an object', { text: 'a', severity: {} }],
    ['mentions is a text', { text: 'a', mentions: ANNA }],
    ['a mention is a number', { text: 'a', mentions: [1] }],
    ['title is an object', { attachments: [{ title: {} }] }],
    ['short is a text', { attachments: [{ fields: [{ title: 'a', short: 'yes' }] }] }],
    ['ts is no number', { attachments: [{ title: 'a', ts: 'today' }] }],
    ['a header’s text is a text', { blocks: [{ type: 'header', text: 'x' }] }],
    ['buttons is an object', { message: { content: 'a', buttons: {} } }],
    ['a file’s size is a text', { message: { content: 'a', files: [{ name: 'a', url: 'https://x.example', size: 'big' }] } }],
  ])('wrong type: %s', (_what, body) => {
    expect(reason(body)).toEqual({ ok: false, reason: expect.stringContaining('must be') });
  });

  test.each([
    ['white space', { text: ' \n' }],
    ['no attachment shows anything', { attachments: [{}, { color: 'good', ts: 1 }, null] }],
    ['only unknown blocks', { blocks: [{ type: 'rich_text' }] }],
    ['an entity alone', { message: { entity_type: 'x' } }],
    ['a severity is nothing to see', { text: ' ', severity: 'critical' }],
  ])('nothing to show: %s', (_what, body) => {
    expect(reason(body)).toEqual({ ok: false, reason: 'nothing to show' });
  });

  test('the reason says where', () => {
    expect(reason({ attachments: [{ title: 'a' }, { fields: [{ title: {} }] }] })).toEqual({ ok: false, reason: 'attachments[1].fields[0].title: must be a string' });
  });
});

describe('the message’s own fields', () => {
  test('unknown fields are nobody’s business, null and "" are missing', () => {
    const body = { text: 'a', username: '', icon_url: null, silent: null, severity: '', mentions: null, channel: 7, attachments: [], blocks: '' };
    expect(message(body)).toEqual({ text: 'a', severity: 'warning', mentions: [], mentionsChannel: false, mentionsHere: false, notes: [] });
  });

  test('name and avatar', () => {
    expect(message({ text: 'a', username: ' Ann ', icon_url: 'https://x.example/i.png' })).toMatchObject({ displayName: 'Ann', avatarUrl: 'https://x.example/i.png' });
    expect(message({ text: 'a', username: 'x'.repeat(65) })).toMatchObject({ displayName: `${'x'.repeat(63)}…`, notes: ['username: cut at 64 of 65 characters'] });
    expect(message({ text: 'a', icon_url: 'http://x.example/i.png' })).toMatchObject({ notes: ['icon_url: dropped, no HTTPS address'] });
    expect(message({ text: 'a', icon_url: 'http://x.example/i.png' })).not.toHaveProperty('avatarUrl');
  });

  test('a text of 4000 characters stays, a longer one is cut', () => {
    expect(message({ text: '😀'.repeat(4000) }).text).toBe('😀'.repeat(4000));
    const { text, notes } = message({ text: '😀'.repeat(4001) });
    expect(text).toBe(`${'😀'.repeat(3999)}…`);
    expect(notes).toEqual(['text: cut at 4000 of 4001 characters']);
    expect(message({ text: '&amp;'.repeat(4000) }).text).toBe('&'.repeat(4000));
  });

  test.each([
    ['error', 'critical'], ['fatal', 'critical'], ['emergency', 'critical'], ['alert', 'critical'], [' CRITICAL ', 'critical'],
    ['warn', 'warning'], ['Warning', 'warning'], ['debug', 'info'], ['notice', 'info'], ['info', 'info'], ['what', 'warning'],
  ])('severity %j is %s', (word, severity) => {
    expect(message({ text: 'a', severity: word })).toMatchObject({ severity, metadata: { severity } });
  });

  test('silent, severity and mentions stand in the flat format inside or outside of message', () => {
    expect(message({ message: { content: 'a', silent: true, severity: 'info', mentions: [ANNA] } })).toMatchObject({ silent: true, severity: 'info', mentions: [ANNA] });
    expect(message({ silent: false, severity: 'fatal', mentions: [ANNA.toUpperCase(), ANNA, 'nobody'], message: { content: 'a', silent: true } })).toMatchObject({
      silent: false, severity: 'critical', mentions: [ANNA],
    });
  });

  test.each([
    [{ text: 'look @channel' }, true, false],
    [{ text: '<!everyone> <!here>' }, true, true],
    [{ text: 'me@channel.example @hereby' }, false, false],
    [{ text: 'a', attachments: [{ pretext: '<!here|here>' }] }, false, true],
    [{ text: 'a', attachments: [{ text: '@channel' }] }, false, false],
    [{ message: { content: '@here' } }, false, true],
  ])('audiences of %j', (body, channel, here) => {
    expect(message(body)).toMatchObject({ mentionsChannel: channel, mentionsHere: here });
  });
});

describe('attachments', () => {
  test('everything that the contract names is kept as sent', () => {
    const attachment = {
      color: '#36a64f', title: 't', title_link: 'https://x.example/t', pretext: 'p', text: '*not converted*', fallback: 'f', fields: [{ title: 'a', value: 'b', short: true }],
      author_name: 'n', author_icon: 'https://x.example/i', author_link: 'https://x.example/l', footer: 'o', footer_icon: 'https://x.example/o', ts: 1795210464.5,
      image_url: 'https://x.example/im', thumb_url: 'https://x.example/th',
    };
    expect(metadata({ attachments: [attachment] })).toEqual({ attachments: [attachment] });
  });

  test.each([
    ['a colour without #', { title: 'a', color: '36A64F' }, { title: 'a', color: '#36a64f' }],
    ['a colour’s name', { title: 'a', color: 'danger' }, { title: 'a', color: 'danger' }],
    ['no colour', { title: 'a', color: 'url(x)' }, { title: 'a' }],
    ['ts as text', { title: 'a', ts: '1795210464' }, { title: 'a', ts: 1795210464 }],
    ['numbers and booleans as text', { title: 1, fields: [{ title: 'CPU', value: 7.5 }, { title: 'up', value: false }] }, { title: '1', fields: [{ title: 'CPU', value: '7.5' }, { title: 'up', value: 'false' }] }],
    ['fields that lack something', { fields: [{ title: 'a' }, { value: 'b' }, {}, { short: true }] }, { fields: [{ title: 'a' }, { value: 'b' }] }],
    ['addresses that are not HTTPS', { title: 'a', title_link: 'http://x.example', image_url: 'javascript:alert(1)', thumb_url: 'https://u:p@x.example', author_link: 'ftp://x' }, { title: 'a' }],
    ['blocks inside', { blocks: [{ type: 'divider' }] }, { blocks: [{ type: 'divider' }] }],
  ])('%s', (_what, sent, stored) => {
    expect(metadata({ attachments: [sent] })).toEqual({ attachments: [stored] });
  });

  test('buttons that lead somewhere become link buttons, others are dropped', () => {
    const actions = [{ type: 'button', text: 'Runbook', url: 'https://rb.example/1' }, { type: 'button', text: 'Ack', name: 'ack' }, { type: 'button', text: 'Plain', url: 'http://x.example' }];
    expect(metadata({ attachments: [{ title: 'a', actions }] })).toEqual({ attachments: [{ title: 'a' }], buttons: [{ text: 'Runbook', url: 'https://rb.example/1' }] });
  });
});

describe('blocks', () => {
  const text = (of: string, type = 'mrkdwn'): object => ({ type, text: of });
  const image = { type: 'image', image_url: 'https://x.example/i', alt_text: 'alt' };

  test('every known type is kept as sent', () => {
    const blocks = [
      { type: 'header', text: text('h', 'plain_text') }, { type: 'section', text: text('s'), fields: [text('f'), text('g', 'plain_text')], accessory: image },
      { type: 'divider' }, { type: 'context', elements: [text('c'), image] }, { ...image, title: text('t', 'plain_text') },
    ];
    expect(message({ blocks })).toMatchObject({ text: '', metadata: { blocks } });
  });

  test('unknown, incomplete and unsafe ones are skipped', () => {
    const blocks = [{ type: 'rich_text', elements: 7 }, {}, null, { type: 'header' }, { type: 'section' }, { type: 'context', elements: [] }, { type: 'image', image_url: 'http://x.example' }, { type: 'divider' }];
    expect(metadata({ blocks })).toEqual({ blocks: [{ type: 'divider' }] });
  });

  test('link buttons of actions and sections go to buttons; nothing interactive is stored', () => {
    const button = { type: 'button', text: text('Open', 'plain_text'), url: 'https://x.example/o', action_id: 'a', value: 'v' };
    const blocks = [{ type: 'actions', elements: [button, { ...button, url: undefined }, { type: 'static_select', action_id: 'b' }] }, { type: 'section', text: text('s'), accessory: button }];
    expect(metadata({ blocks })).toEqual({
      blocks: [{ type: 'section', text: text('s') }],
      buttons: [{ text: 'Open', url: 'https://x.example/o' }, { text: 'Open', url: 'https://x.example/o' }],
    });
  });

  test('what is over the limits is cut and noted', () => {
    const section = { type: 'section', text: text('x'.repeat(3001)), fields: Array.from({ length: 11 }, () => text('f')) };
    const { metadata: stored, notes } = message({ blocks: [section, { type: 'context', elements: Array.from({ length: 11 }, () => text('c')) }, ...Array.from({ length: 49 }, () => ({ type: 'divider' }))] });
    const [first, second, ...others] = (stored as { blocks: any[] }).blocks;
    expect([first.text.text.length, first.fields.length, second.elements.length, others.length]).toEqual([3000, 10, 10, 48]);
    expect(notes.sort()).toEqual([
      'blocks: cut at 50 of 51', 'blocks[0].fields: cut at 10 of 11', 'blocks[0].text.text: cut at 3000 of 3001 characters', 'blocks[1].elements: cut at 10 of 11',
    ]);
  });
});

test('buttons and files of the flat format', () => {
  const body = {
    message: {
      content: 'a', buttons: [{ text: 'Open', url: 'https://x.example' }, { text: 'Data only', data: 'x' }],
      files: [{ name: 'a.pdf', url: 'https://x.example/a.pdf', size: 12 }, { name: 'b', url: 'http://x.example/b' }],
    },
  };
  expect(message(body).metadata).toEqual({ buttons: [{ text: 'Open', url: 'https://x.example' }], files: [{ name: 'a.pdf', url: 'https://x.example/a.pdf', size: 12 }] });
});

test('whatever the JSON, it is parsed or refused with a reason', () => {
  const keys = ['text', 'attachments', 'blocks', 'message', 'content', 'fields', 'elements', 'type', 'accessory', 'actions', 'url', 'title', '__proto__', 'ts', 'mentions', 'severity'];
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.constantFrom('section', 'context', 'image', 'actions', 'https://x.example', '<!here>', ''), fc.jsonValue({ maxDepth: 1 }), fc.array(tie('value')), tie('object')),
    object: fc.dictionary(fc.constantFrom(...keys), tie('value')),
  }));
  fc.assert(
    fc.property(json.object, (body) => {
      const parsed = parseIncoming(JSON.parse(JSON.stringify(body)));
      if (!parsed.ok) return expect(parsed.reason).not.toBe('');
      const shown = JSON.stringify(parsed.message.metadata ?? {});
      expect(shown).not.toContain('action_id');
      expect(JSON.parse(shown)).toEqual(parsed.message.metadata ?? {});
    }),
    { numRuns: 2000 },
  );
});

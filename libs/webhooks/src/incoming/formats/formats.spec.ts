import fc from 'fast-check';
import { readMessage } from '../read-message.js';
import type { IncomingMessage } from '../message/incoming-message.js';

const ANNA = '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11';

function message(body: unknown): IncomingMessage {
  const parsed = readMessage(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

const metadata = (body: object): unknown => message({ text: 'x', ...body }).metadata;
const reason = (body: unknown): unknown => readMessage(body);

describe('format detection', () => {
  test.each([
    ['text', { text: '*a*' }, '**a**'],
    [
      'message.content is Markdown already',
      { message: { content: '*a* &amp; <https://x.example|l>' } },
      '*a* &amp; <https://x.example|l>',
    ],
    ['both: the block-kit style wins', { text: 'a', message: { content: 'b' } }, 'a'],
    ['an empty text is none', { text: '', attachments: null, message: { content: 'b' } }, 'b'],
  ])('%s', (_what, body, text) => {
    expect(message(body).text).toBe(text);
  });

  test.each([
    ['nothing known', { hello: 'x' }],
    ['only nulls', { text: null, attachments: '', message: { content: '' } }],
    ['message is null', { message: null }],
    ['message is a text', { message: 'x' }],
  ])('neither: %s', (_what, body) => {
    expect(reason(body)).toEqual({ ok: false, reason: expect.stringContaining('unknown format') });
  });

  test.each([
    ['no object', []],
    ['text is an object', { text: {} }],
    ['text is a number', { text: 7.5 }],
    ['content is a number', { message: { content: 7 } }],
    ['username is a number', { text: 'a', username: 7 }],
    ['attachments is an object', { attachments: {} }],
    ['blocks is a text', { blocks: 'x' }],
    ['username is an object', { text: 'a', username: {} }],
    ['silent is a text', { text: 'a', silent: 'true' }],
    ['mentions is a text', { text: 'a', mentions: ANNA }],
    ['a mention is a number', { text: 'a', mentions: [1] }],
    ['buttons is an object', { message: { content: 'a', buttons: {} } }],
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

  test('the reason names the field', () => {
    expect(reason({ message: { content: 'a', buttons: {} } })).toEqual({
      ok: false,
      reason: 'message.buttons: must be an array',
    });
  });
});

describe('an invalid decoration is dropped and noted, and never rejects an alert', () => {
  const ofAttachment = (fields: object): unknown => ({ attachments: [{ text: 'disk full', ...fields }] });

  test.each<[string, unknown, string]>([
    [
      'short (cabot-alert-slack#5, mattermost#10108)',
      ofAttachment({ fields: [{ title: 'a', short: 'true' }] }),
      'attachments[0].fields[0].short',
    ],
    ['color (slack-go/slack#1292)', ofAttachment({ color: 15_158_332 }), 'attachments[0].color'],
    ['ts as a date', ofAttachment({ ts: '2024-05-01T10:00:00Z' }), 'attachments[0].ts'],
    ['ts below zero', ofAttachment({ ts: '-1' }), 'attachments[0].ts'],
    ['ts as a boolean', ofAttachment({ ts: false }), 'attachments[0].ts'],
    ['ts beyond all numbers', ofAttachment({ ts: Infinity }), 'attachments[0].ts'],
    ['fields as a text (eyewitness/eye#46)', ofAttachment({ fields: 'disk: full' }), 'attachments[0].fields'],
    ['fields as an object', ofAttachment({ fields: { a: 1 } }), 'attachments[0].fields'],
    ['a field that is a text', ofAttachment({ fields: ['a'] }), 'attachments[0].fields[0]'],
    [
      'a value that is a list',
      ofAttachment({ fields: [{ title: 'a', value: [1] }] }),
      'attachments[0].fields[0].value',
    ],
    ['a title that is an object', ofAttachment({ title: {} }), 'attachments[0].title'],
    ['author_icon', ofAttachment({ author_icon: 7 }), 'attachments[0].author_icon'],
    ['footer', ofAttachment({ footer: [] }), 'attachments[0].footer'],
    ['actions', ofAttachment({ actions: 'x' }), 'attachments[0].actions'],
    ['blocks of an attachment', ofAttachment({ blocks: 'x' }), 'attachments[0].blocks'],
    ['an attachment that is a text', { text: 'a', attachments: ['x'] }, 'attachments[0]'],
    ['icon_url', { text: 'a', icon_url: false }, 'icon_url'],
    ['severity', { text: 'a', severity: {} }, 'severity'],
    ['an unknown block', { text: 'a', blocks: [{ type: 'carousel' }, { type: 'divider' }] }, 'blocks[0]'],
    ['a block that is a number', { text: 'a', blocks: [7] }, 'blocks[0]'],
    ['a header’s text', { text: 'a', blocks: [{ type: 'header', text: 7 }] }, 'blocks[0].text'],
    [
      'a flat button’s text',
      { message: { content: 'a', buttons: [{ text: { text: 'b' }, url: 'https://x.example' }] } },
      'message.buttons[0].text',
    ],
    [
      'a file’s size',
      { message: { content: 'a', files: [{ url: 'https://x.example', size: 'big' }] } },
      'message.files[0].size',
    ],
  ])('%s', (_what, body, where) => {
    expect(message(body)).toMatchObject({
      severity: 'warning',
      notes: [expect.stringContaining(`${where}: dropped, `)],
    });
  });

  test('keeps a negative ts like any other number', () => {
    expect(metadata({ attachments: [{ text: 'a', ts: -1 }] })).toEqual({
      attachments: [{ text: 'a', ts: -1 }],
    });
  });
});

describe('the message’s own fields', () => {
  test('ignores unknown fields, and treats null and "" as missing', () => {
    const body = {
      text: 'a',
      username: '',
      icon_url: null,
      silent: null,
      severity: '',
      mentions: null,
      channel: 7,
      attachments: [],
      blocks: '',
    };
    expect(message(body)).toEqual({
      text: 'a',
      severity: 'warning',
      mentions: [],
      mentionsChannel: false,
      mentionsHere: false,
      notes: [],
    });
  });

  test('name and avatar', () => {
    expect(message({ text: 'a', username: ' Ann ', icon_url: 'https://x.example/i.png' })).toMatchObject({
      displayName: 'Ann',
      avatarUrl: 'https://x.example/i.png',
    });
    expect(message({ text: 'a', username: 'x'.repeat(65) })).toMatchObject({
      displayName: `${'x'.repeat(63)}…`,
      notes: ['username: cut at 64 of 65 characters'],
    });
    expect(message({ text: 'a', icon_url: 'http://x.example/i.png' })).toMatchObject({
      notes: ['icon_url: dropped, not an HTTPS address'],
    });
    expect(message({ text: 'a', icon_url: 'http://x.example/i.png' })).not.toHaveProperty('avatarUrl');
    const longest = `https://x.example/${'a'.repeat(2030)}`;
    expect(message({ text: 'a', icon_url: longest })).toMatchObject({ avatarUrl: longest });
    expect(message({ text: 'a', icon_url: `${longest}a` })).not.toHaveProperty('avatarUrl');
  });

  test('keeps a text of 4000 characters and cuts a longer one', () => {
    expect(message({ text: '😀'.repeat(4000) }).text).toBe('😀'.repeat(4000));
    const { text, notes } = message({ text: '😀'.repeat(4001) });
    expect(text).toBe(`${'😀'.repeat(3999)}…`);
    expect(notes).toEqual(['text: cut at 4000 of 4001 characters']);
    expect(message({ text: '&amp;'.repeat(4000) }).text).toBe('&'.repeat(4000));
  });

  test.each([
    ['error', 'critical'],
    ['fatal', 'critical'],
    ['emergency', 'critical'],
    ['alert', 'critical'],
    [' CRITICAL ', 'critical'],
    ['warn', 'warning'],
    ['Warning', 'warning'],
    ['debug', 'info'],
    ['notice', 'info'],
    ['info', 'info'],
    ['what', 'warning'],
  ])('severity %j is %s', (word, severity) => {
    expect(message({ text: 'a', severity: word })).toMatchObject({ severity, metadata: { severity } });
  });

  test('the flat format accepts silent, severity and mentions inside or outside of message', () => {
    expect(
      message({ message: { content: 'a', silent: true, severity: 'info', mentions: [ANNA] } }),
    ).toMatchObject({ silent: true, severity: 'info', mentions: [ANNA] });
    expect(
      message({
        silent: false,
        severity: 'fatal',
        mentions: [ANNA.toUpperCase(), ANNA, 'nobody'],
        message: { content: 'a', silent: true },
      }),
    ).toMatchObject({
      silent: false,
      severity: 'critical',
      mentions: [ANNA],
    });
    expect(message({ mentions: [], message: { content: 'a', mentions: [null, '', ANNA] } }).mentions).toEqual(
      [ANNA],
    );
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
  test('keeps every documented field as sent', () => {
    const attachment = {
      color: '#36a64f',
      title: 't',
      title_link: 'https://x.example/t',
      pretext: 'p',
      text: '*not converted*',
      fallback: 'f',
      fields: [{ title: 'a', value: 'b', short: true }],
      author_name: 'n',
      author_icon: 'https://x.example/i',
      author_link: 'https://x.example/l',
      footer: 'o',
      footer_icon: 'https://x.example/o',
      ts: 1795210464.5,
      image_url: 'https://x.example/im',
      thumb_url: 'https://x.example/th',
    };
    expect(metadata({ attachments: [attachment] })).toEqual({ attachments: [attachment] });
  });

  test.each([
    ['a color without #', { title: 'a', color: '36A64F' }, { title: 'a', color: '#36A64F' }],
    ['a color name', { title: 'a', color: ' Danger ' }, { title: 'a', color: 'danger' }],
    ['an invalid color', { title: 'a', color: 'url(x)' }, { title: 'a' }],
    ['ts as text', { title: 'a', ts: '1795210464' }, { title: 'a', ts: 1795210464 }],
    [
      'numbers and booleans as text',
      {
        title: 1,
        fields: [
          { title: 'CPU', value: 7.5 },
          { title: 'up', value: false },
        ],
      },
      {
        title: '1',
        fields: [
          { title: 'CPU', value: '7.5' },
          { title: 'up', value: 'false' },
        ],
      },
    ],
    [
      'incomplete fields',
      { fields: [{ title: 'a' }, { value: 'b' }, {}, { short: true }] },
      { fields: [{ title: 'a' }, { value: 'b' }] },
    ],
    [
      'addresses that are not HTTPS',
      {
        title: 'a',
        title_link: 'http://x.example',
        image_url: 'javascript:alert(1)',
        thumb_url: 'https://u:p@x.example',
        author_link: 'ftp://x',
      },
      { title: 'a' },
    ],
    ['blocks inside', { blocks: [{ type: 'divider' }] }, { blocks: [{ type: 'divider' }] }],
  ])('%s', (_what, sent, stored) => {
    expect(metadata({ attachments: [sent] })).toEqual({ attachments: [stored] });
  });

  test('turns buttons with an address into link buttons and drops others', () => {
    const actions = [
      { type: 'button', text: 'Runbook', url: 'https://rb.example/1' },
      { type: 'button', text: 'Ack', name: 'ack' },
      { type: 'button', text: 'Plain', url: 'http://x.example' },
    ];
    expect(metadata({ attachments: [{ title: 'a', actions }] })).toEqual({
      attachments: [{ title: 'a' }],
      buttons: [{ text: 'Runbook', url: 'https://rb.example/1' }],
    });
  });
});

describe('blocks', () => {
  const text = (of: string, type = 'mrkdwn'): object => ({ type, text: of });
  const image = { type: 'image', image_url: 'https://x.example/i', alt_text: 'alt' };

  test('keeps every known type as sent', () => {
    const blocks = [
      { type: 'header', text: text('h', 'plain_text') },
      { type: 'section', text: text('s'), fields: [text('f'), text('g', 'plain_text')], accessory: image },
      { type: 'divider' },
      { type: 'context', elements: [text('c'), image] },
      { ...image, title: text('t', 'plain_text') },
    ];
    expect(message({ blocks })).toMatchObject({ text: 'h\ns\nf\ng\nc', metadata: { blocks } });
  });

  test('skips unknown, incomplete and unsafe blocks', () => {
    const blocks = [
      { type: 'rich_text', elements: 7 },
      {},
      null,
      { type: 'header' },
      { type: 'section' },
      { type: 'context', elements: [] },
      { type: 'image', image_url: 'http://x.example' },
      { type: 'divider' },
    ];
    expect(metadata({ blocks })).toEqual({ blocks: [{ type: 'divider' }] });
  });

  test('skips everything in a context but text and images', () => {
    const elements = [{ type: 'button', text: text('b') }, text('c')];
    expect(metadata({ blocks: [{ type: 'context', elements }] })).toEqual({
      blocks: [{ type: 'context', elements: [text('c')] }],
    });
  });

  test('an image’s title may be a string', () => {
    expect(metadata({ blocks: [{ ...image, title: 't' }] })).toEqual({
      blocks: [{ ...image, title: text('t', 'plain_text') }],
    });
  });

  test('accepts a link button whose text is a string or missing', () => {
    const elements = [
      { type: 'button', text: 'Open', url: 'https://x.example/o' },
      { type: 'button', url: 'https://x.example/p' },
    ];
    expect(metadata({ blocks: [{ type: 'actions', elements }] })).toEqual({
      buttons: [
        { text: 'Open', url: 'https://x.example/o' },
        { text: 'https://x.example/p', url: 'https://x.example/p' },
      ],
    });
  });

  test('moves link buttons of actions and sections to buttons and stores nothing interactive', () => {
    const button = {
      type: 'button',
      text: text('Open', 'plain_text'),
      url: 'https://x.example/o',
      action_id: 'a',
      value: 'v',
    };
    const blocks = [
      {
        type: 'actions',
        elements: [button, { ...button, url: undefined }, { type: 'static_select', action_id: 'b' }],
      },
      { type: 'section', text: text('s'), accessory: button },
    ];
    expect(metadata({ blocks })).toEqual({
      blocks: [{ type: 'section', text: text('s') }],
      buttons: [
        { text: 'Open', url: 'https://x.example/o' },
        { text: 'Open', url: 'https://x.example/o' },
      ],
    });
  });

  test('reads the first ten link buttons of a block and notes the rest', () => {
    const elements = Array.from({ length: 11 }, (_, n) => ({
      type: 'button',
      text: `b${n}`,
      url: `https://x.example/${n}`,
    }));
    const { metadata: stored, notes } = message({ text: 'a', blocks: [{ type: 'actions', elements }] });
    expect(stored).toEqual({
      buttons: elements.slice(0, 10).map(({ text: of, url }) => ({ text: of, url })),
    });
    expect(notes).toEqual(['blocks[0].elements: cut at 10 of 11']);
  });

  test('cuts and notes what exceeds the limits', () => {
    const section = {
      type: 'section',
      text: text('x'.repeat(3001)),
      fields: Array.from({ length: 11 }, () => text('f')),
    };
    const { metadata: stored, notes } = message({
      blocks: [
        section,
        { type: 'context', elements: Array.from({ length: 11 }, () => text('c')) },
        ...Array.from({ length: 49 }, () => ({ type: 'divider' })),
      ],
    });
    const [first, second, ...others] = (stored as { blocks: any[] }).blocks;
    expect([first.text.text.length, first.fields.length, second.elements.length, others.length]).toEqual([
      3000, 10, 10, 48,
    ]);
    expect(notes.sort()).toEqual([
      'blocks: cut at 50 of 51',
      'blocks[0].fields: cut at 10 of 11',
      'blocks[0].text.text: cut at 3000 of 3001 characters',
      'blocks[1].elements: cut at 10 of 11',
    ]);
  });
});

test('buttons and files of the flat format', () => {
  const body = {
    message: {
      content: 'a',
      buttons: [
        { text: 'Open', url: 'https://x.example' },
        { text: 'Data only', data: 'x' },
      ],
      files: [
        { name: 'a.pdf', url: 'https://x.example/a.pdf', size: 12 },
        { name: 'b', url: 'http://x.example/b' },
      ],
    },
  };
  expect(message(body).metadata).toEqual({
    buttons: [{ text: 'Open', url: 'https://x.example' }],
    files: [{ name: 'a.pdf', url: 'https://x.example/a.pdf', size: 12 }],
  });
});

describe('metadata of more than 32 KiB is cut', () => {
  const bytes = (of: unknown): number => Buffer.byteLength(JSON.stringify(of));
  const long = 'ж'.repeat(3000);

  test('keeps severity, buttons and the first parts', () => {
    const attachments = Array.from({ length: 10 }, (_none, n) => ({
      title: `t${n}`,
      text: long,
      actions: [{ text: 'Open', url: `https://x.example/${n}` }],
    }));
    const { metadata: stored, notes } = message({ severity: 'fatal', attachments });
    expect(stored).toMatchObject({
      severity: 'critical',
      attachments: attachments.map(({ title, text }, n) => (n < 5 ? { title, text } : { title })),
    });
    expect((stored as { buttons: unknown[] }).buttons).toHaveLength(10);
    expect(bytes(stored)).toBeLessThanOrEqual(32 * 1024);
    expect(notes).toEqual([expect.stringMatching(/^metadata: cut at 32768 of \d+ bytes$/)]);
  });

  test('keeps as much of a large attachment or block as fits', () => {
    const fields = Array.from({ length: 10 }, () => ({ type: 'mrkdwn', text: 'f'.repeat(3000) }));
    const block = { type: 'section', text: { type: 'mrkdwn', text: long }, fields };
    const stored = metadata({ blocks: [block] }) as { blocks: { text: unknown; fields: unknown[] }[] };
    expect([stored.blocks[0]?.text, stored.blocks[0]?.fields.length]).toEqual([block.text, 8]);

    const attachment = {
      fallback: long,
      pretext: long,
      text: long,
      title: 'Disk full',
      footer: long,
      author_name: long,
      fields: [{ title: 'a', value: long }],
      blocks: [block],
    };
    const { attachments } = metadata({ attachments: [attachment] }) as {
      attachments: Record<string, unknown>[];
    };
    expect(attachments).toEqual([
      {
        title: 'Disk full',
        text: long,
        pretext: long,
        author_name: long,
        footer: long,
        fields: [{ title: 'a', value: long }],
      },
    ]);
  });

  test('holds for any body', () => {
    const text = fc.integer({ min: 0, max: 3000 }).map((length) => '\u0001"ж'.repeat(length / 3));
    const element = text.map((of) => ({ type: 'mrkdwn', text: of }));
    const block = fc.oneof(
      fc.record({ type: fc.constant('section'), text: element, fields: fc.array(element) }),
      fc.record({ type: fc.constant('context'), elements: fc.array(element) }),
    );
    const attachment = fc.record({
      title: text,
      text,
      fallback: text,
      fields: fc.array(fc.record({ title: text, value: text })),
      blocks: fc.array(block),
      ts: fc.nat(),
    });
    const button = fc.record({ text, url: fc.constant('https://x.example') });
    fc.assert(
      fc.property(fc.array(attachment), fc.array(block), fc.array(button), (attachments, blocks, actions) => {
        const parsed = readMessage({
          text: 'x',
          severity: 'info',
          attachments: [...attachments, { actions }],
          blocks,
        });
        expect(parsed.ok && bytes(parsed.message.metadata)).toBeLessThanOrEqual(32 * 1024);
        expect(parsed.ok && parsed.message.metadata).toMatchObject({ severity: 'info' });
      }),
      { numRuns: 60 },
    );
  });
});

test('the number of notes is bounded', () => {
  const blocks = Array.from({ length: 50 }, () => ({ type: 'image', image_url: 'http://x.example' }));
  expect(message({ text: 'x', attachments: [{ blocks }, { blocks }] }).notes).toHaveLength(50);
});

test('any JSON is parsed or rejected with a reason', () => {
  const keys = [
    'text',
    'attachments',
    'blocks',
    'message',
    'content',
    'fields',
    'elements',
    'type',
    'accessory',
    'actions',
    'url',
    'title',
    '__proto__',
    'ts',
    'mentions',
    'severity',
  ];
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('section', 'context', 'image', 'actions', 'https://x.example', '<!here>', ''),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value')),
      tie('object'),
    ),
    object: fc.dictionary(fc.constantFrom(...keys), tie('value')),
  }));
  fc.assert(
    fc.property(json.object, (body) => {
      const parsed = readMessage(JSON.parse(JSON.stringify(body)));
      if (!parsed.ok) return expect(parsed.reason).not.toBe('');
      const shown = JSON.stringify(parsed.message.metadata ?? {});
      expect(shown).not.toContain('action_id');
      expect(JSON.parse(shown)).toEqual(parsed.message.metadata ?? {});
    }),
    { numRuns: 2000 },
  );
});

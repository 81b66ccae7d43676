import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { native, startIncomingHarness } from '../../../testing/incoming-harness.js';
import type { IncomingHarness } from '../../../testing/incoming-harness.js';

let harness: IncomingHarness;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
afterAll(() => harness?.close());

/** Returns the text of the posted message, or the status of the rejection. */
async function shown(body: Buffer | string, headers: Record<string, string>): Promise<string | number> {
  const webhook = await harness.webhook();
  const { status } = await harness.post(webhook, body, headers);
  const [message] = await harness.history(webhook);
  return message?.text ?? status;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const TEXT = '{"text":"Überlast"}';
const LATIN_FORM = '%7b%22text%22:+%22%DCberlast%22%7D';

describe('charset of a body', () => {
  test.each<[string, Buffer | string, string]>([
    ['a byte order mark (jellyfin-plugin-webhook#198)', `\uFEFF${TEXT}`, JSON_TYPE],
    ['ISO-8859-1 (PoshGram#19)', Buffer.from(TEXT, 'latin1'), `${JSON_TYPE}; charset=iso-8859-1`],
    ['Windows-1252, quoted', Buffer.from(TEXT, 'latin1'), `${JSON_TYPE};charset="Windows-1252"`],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), `${JSON_TYPE}; charset=utf-16`],
    ['UTF-16, big endian', Buffer.from(TEXT, 'utf16le').swap16(), `${JSON_TYPE}; charset=utf-16`],
    ['UTF-16, little endian', Buffer.from(TEXT, 'utf16le'), `${JSON_TYPE}; charset=utf-16`],
    ['an unknown charset is read as UTF-8', TEXT, `${JSON_TYPE}; charset=x-unknown`],
    ['plain text', Buffer.from('Überlast', 'latin1'), 'text/plain; charset=ISO-8859-1'],
    ['plain text with a mark', '\uFEFFÜberlast', 'text/plain'],
    ['a form with a mark', `\uFEFFpayload=${encodeURIComponent(TEXT)}`, 'application/x-www-form-urlencoded'],
    ['a form in ISO-8859-1', `x=%DC&payload=${LATIN_FORM}`, `${FORM_TYPE}; charset=iso-8859-1`],
    [
      'a form in Windows-1252, not encoded',
      Buffer.from(`payload=${TEXT}`, 'latin1'),
      `${FORM_TYPE};charset=cp1252`,
    ],
    ['a form in UTF-8', `payload=${encodeURIComponent(TEXT)}`, `${FORM_TYPE}; charset=UTF-8`],
  ])('%s', async (_what, body, type) => {
    expect(await shown(body, { 'content-type': type })).toBe('Überlast');
  });
});

describe('compressed bodies', () => {
  test.each<[string, Buffer, string]>([
    ['gzip', gzipSync(TEXT), 'gzip'],
    ['x-gzip', gzipSync(TEXT), 'X-GZip'],
    ['deflate', deflateSync(TEXT), 'deflate'],
    ['deflate without its header', deflateRawSync(TEXT), 'deflate'],
    ['identity', Buffer.from(TEXT), 'identity'],
  ])('%s', async (_what, body, encoding) => {
    expect(await shown(body, { 'content-type': JSON_TYPE, 'content-encoding': encoding })).toBe('Überlast');
  });

  test('answers 415 for another encoding, 400 for broken data and 413 beyond the limit', async () => {
    const webhook = await harness.webhook();
    const send = (body: Buffer, encoding: string) =>
      harness.post(webhook, body, { 'content-type': JSON_TYPE, 'content-encoding': encoding });
    const large = gzipSync(JSON.stringify({ text: 'x'.repeat(262_144) }));
    const answers = [
      await send(Buffer.from(TEXT), 'br'),
      await send(Buffer.from(TEXT), 'gzip'),
      await send(large, 'gzip'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 400, 413]);
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => ({ ok: false, error: 'request rejected' })),
    );
    expect((await harness.requests(webhook)).map(({ reason }) => reason)).toEqual([
      'body over 262144 bytes when decompressed',
      'the body is not gzip data',
      'content encoding is neither gzip nor deflate',
    ]);
  });

  test('the request log shows the decompressed body, the signature covers the compressed one', async () => {
    const webhook = await harness.webhook({ require_signature: true });
    const body = gzipSync(TEXT);
    const headers = {
      ...native(webhook.secret, body),
      'content-type': JSON_TYPE,
      'content-encoding': 'gzip',
    };
    expect((await harness.post(webhook, body, headers)).status).toBe(200);
    expect((await harness.requests(webhook))[0]).toMatchObject({ body: TEXT });
  });
});

describe('JSON under any content type', () => {
  test.each([
    ['text/html (mattermost#2972)', 'text/html'],
    ['plain text (datocms/plugins#76)', 'text/plain;charset=UTF-8'],
    ['bytes', 'application/octet-stream'],
    ['a vendor type', 'application/vnd.alert+json'],
    ['nonsense', 'nonsense'],
    ['a form (curl -d)', 'application/x-www-form-urlencoded'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
  ])('%s', async (_what, type) => {
    expect(await shown('{"text": "hello *x*"}', { 'content-type': type })).toBe('hello **x**');
    expect(await shown(' [{"text": "hello *x*"}] ', { 'content-type': type })).toBe('hello **x**');
  });

  test('accepts a list of one object (MantisBT-Slack#36), also in a form', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await shown('[{"text":"Bug 12 closed"}]', { 'content-type': JSON_TYPE })).toBe('Bug 12 closed');
    expect(await shown(`payload=${encodeURIComponent('[{"text":"Bug 12 closed"}]')}`, form)).toBe(
      'Bug 12 closed',
    );
  });

  test('plain text in no known format stays literal text', async () => {
    const plain = { 'content-type': 'text/plain' };
    expect(await shown('{"level":"error","msg":"x"}', plain)).toBe('{"level":"error","msg":"x"}');
    expect(await shown('[x] {"text": "a"}', plain)).toBe('[x] {"text": "a"}');
    expect(await shown('{"text": {}}', plain)).toBe(400);
  });

  test('accepts multipart forms (mattermost#8280)', async () => {
    const form = new FormData();
    form.set('payload', '{"text":"from curl -F"}');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    expect(await shown(Buffer.from(await request.arrayBuffer()), { 'content-type': type })).toBe(
      'from curl -F',
    );
  });
});

test('at Mattermost addresses text is Markdown, and Rocket.Chat’s alias and avatar are used', async () => {
  const body = {
    text: '*a* \\*b\\* <https://x.example|c> <!here>',
    alias: 'netdata',
    avatar: 'https://x.example/a.png',
  };
  for (const path of ['/hooks/TOKEN', '/hooks/a/TOKEN', '/api/v1/webhooks/hooks/TOKEN']) {
    const webhook = await harness.webhook();
    expect((await harness.send(path.replace('TOKEN', webhook.token), body)).text).toBe('ok');
    expect(await harness.history(webhook)).toMatchObject([
      {
        text: '*a* \\*b\\* [c](https://x.example) @here',
        display_name: 'netdata',
        display_avatar_url: 'https://x.example/a.png',
      },
    ]);
  }
  const webhook = await harness.webhook();
  await harness.send(`/services/a/b/${webhook.token}`, body);
  expect(await harness.history(webhook)).toMatchObject([
    { text: '**a** \\\\**b\\\\** [c](https://x.example) @here' },
  ]);
});

import { once } from 'node:events';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { FilesModule } from '@tieline/files';
import { TestStorage } from '@tieline/files/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, readRows, startTcpProxy } from '@tieline/testing';
import type { TcpProxy } from '@tieline/testing';
import { slackId, uuidOf } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';
import { slackToken } from '../tokens/token-spellings.js';
import { MAX_FORM_AROUND_FILE } from './form-file.js';
import { UploadTokens } from './upload-tokens.js';

const require = createRequire(import.meta.url);
const MAX_BYTES = 1_000_000;
type Answer = Record<string, any>;

let storage: TestStorage;
let proxy: TcpProxy;
let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;
let channelUuid: string;

beforeAll(async () => {
  storage = await TestStorage.start();
  proxy = await startTcpProxy('http://127.0.0.1:9');
  const env = {
    ...storage.env,
    PUBLIC_URL: proxy.url.replace(/\/$/, ''),
    FILE_MAX_BYTES: String(MAX_BYTES),
    SPACE_LIMITS: `file_bytes=${MAX_BYTES}/10000000/10000000`,
    RATE_BOT_MESSAGES_PER_SECOND: '10000',
    RATE_BOT_WRITES_PER_SECOND: '10000',
  };
  api = await startBotsApi(env, [AppsModule, FilesModule, storage.routes, SlackSurfaceModule]);
  proxy.pointTo(api.url);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  channelUuid = await fixture.channelOf(bot);
  channel = slackId('publicChannel', channelUuid);
});
afterAll(async () => {
  await api?.close();
  await proxy?.close();
  await storage?.close();
});

async function call(method: string, args: object, token = bot.token): Promise<Answer> {
  const { status, body } = await api.call('POST', `/slack/api/${method}`, { token, body: args });
  expect(status).toBe(200);
  return body as Answer;
}

const start = (args: object = {}, token = bot.token): Promise<Answer> =>
  call('files.getUploadURLExternal', { filename: 'a.txt', length: 5, ...args }, token);
const complete = (args: object, token = bot.token): Promise<Answer> =>
  call('files.completeUploadExternal', args, token);

interface Sent {
  status: number;
  text: string;
}

/** Sends a body as `slack_sdk` does for bytes. */
async function send(
  url: string,
  body: RequestInit['body'],
  headers: Record<string, string> = {},
): Promise<Sent> {
  const answer = await fetch(url, { method: 'POST', body: body!, headers });
  return { status: answer.status, text: await answer.text() };
}

const refused = (status: number, code: string): object => ({
  status,
  text: JSON.stringify({ ok: false, error: code }),
});

/** Uploads a text and returns the id of the file. */
async function uploaded(text = 'hello', token = bot.token): Promise<string> {
  const { upload_url: url, file_id: id } = await start({ length: Buffer.byteLength(text) }, token);
  expect(await send(url, text)).toEqual({ status: 200, text: `OK - ${Buffer.byteLength(text)}` });
  return id;
}

/** Returns the messages of the channel as the owner sees them. */
async function messages(): Promise<Answer[]> {
  const { body } = await api.call('GET', `/api/v1/channels/${channelUuid}/messages`, {
    token: fixture.space.owner.token,
  });
  return body.messages;
}

async function joinOwner(): Promise<void> {
  const path = `/api/v1/client/conversations/${channelUuid}/join`;
  expect((await api.call('POST', path, { token: fixture.space.owner.token })).status).toBe(200);
}

async function downloaded(fileId: string): Promise<Sent> {
  const id = uuidOf(fileId, 'file');
  const { status, body } = await api.call('GET', `/api/v1/client/files/${id}/download_url`, {
    token: fixture.space.owner.token,
  });
  if (status !== 200) return { status, text: '' };
  const answer = await fetch(body.download_url);
  return { status: answer.status, text: await answer.text() };
}

describe.each(['@slack/web-api', 'slack-web-api-7', 'slack-web-api-6'])('filesUploadV2 of %s', (name) => {
  const { WebClient } = require(name) as {
    WebClient: new (token: string, options: object) => { filesUploadV2(args: object): Promise<Answer> };
  };
  const silent = Object.fromEntries(
    ['debug', 'error', 'getLevel', 'info', 'setLevel', 'setName', 'warn'].map((log) => [
      log,
      () => undefined,
    ]),
  );

  test('uploads two files, which a message with a comment shows in a thread', async () => {
    await joinOwner();
    const client = new WebClient(slackToken(bot.token), {
      slackApiUrl: `${api.url}/slack/api/`,
      logger: silent,
      retryConfig: { retries: 0 },
    });
    const { ts } = await call('chat.postMessage', { channel, text: 'root' });
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000308', 'hex');
    const answer = await client.filesUploadV2({
      channel_id: channel,
      thread_ts: ts,
      initial_comment: 'the *report*',
      file_uploads: [
        { content: 'quarter,total\r\n', filename: 'report.csv', title: 'Report' },
        { file: png, filename: 'picture.png' },
      ],
    });
    const files = answer['files'].flatMap((one: Answer) => one['files']);
    expect(files).toEqual([
      { id: expect.stringMatching(/^F[A-Z2-7]{26}$/), title: 'Report' },
      { id: expect.stringMatching(/^F[A-Z2-7]{26}$/), title: 'picture.png' },
    ]);
    const { messages: thread } = await call('conversations.replies', { channel, ts });
    expect(thread[1]).toMatchObject({
      text: 'the *report*',
      thread_ts: ts,
      files: [
        { id: files[0].id, name: 'report.csv', mimetype: 'text/csv', size: 15 },
        { id: files[1].id, name: 'picture.png', mimetype: 'image/png', size: png.length },
      ],
    });
    expect(await downloaded(files[0].id)).toEqual({ status: 200, text: 'quarter,total\r\n' });
  });
});

describe('files.getUploadURLExternal', () => {
  test('returns an address at the origin of the API', async () => {
    const { upload_url: url, file_id: id } = await start({ alt_text: 'a text', snippet_type: 'text' });
    expect(url).toMatch(new RegExp(`^${proxy.url.replace(/\/$/, '')}/slack/uploads/[\\w-]{96}$`));
    expect(id).toMatch(/^F/);
    expect((await start()).upload_url).not.toBe(url);
  });

  test.each([
    [{ filename: '' }, 'missing_argument'],
    [{ length: 0 }, 'missing_argument'],
    [{ length: -1 }, 'invalid_arguments'],
    [{ length: 1.5 }, 'invalid_arguments'],
    [{ length: 'many' }, 'invalid_arguments'],
    [{ filename: 'a\nb' }, 'invalid_arguments'],
    [{ filename: 'x'.repeat(256) }, 'invalid_arguments'],
    [{ length: MAX_BYTES + 1 }, 'file_upload_size_restricted'],
    [{ alt_text: 'x'.repeat(1001) }, 'alt_txt_too_large'],
  ])('refuses %j', async (args, error) => {
    expect(await start(args)).toMatchObject({ ok: false, error });
  });

  test('is limited by the quota of the space', async () => {
    await api.db.query("UPDATE spaces SET plan = 'free' WHERE id = $1", [fixture.space.spaceId]);
    expect(await start({ length: MAX_BYTES })).toMatchObject({ ok: true });
    expect(await start()).toMatchObject({ ok: false, error: 'storage_limit_reached' });
  });

  test('is only for bots', async () => {
    expect(await start({}, fixture.space.owner.token)).toMatchObject({ error: 'not_allowed_token_type' });
  });
});

describe('the upload address', () => {
  test.each(['', 'application/octet-stream', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'accepts raw bytes with the content type %j',
    async (contentType) => {
      const { upload_url: url } = await start();
      const headers = { 'content-type': contentType };
      expect(await send(url, Buffer.from('he\0lo'), headers)).toEqual({ status: 200, text: 'OK - 5' });
    },
  );

  test.each(['body', 'file', 'filename'])('accepts a form with the file in %s', async (field) => {
    const { upload_url: url } = await start();
    const form = new FormData();
    form.append('title', 'ignored');
    form.append(field, new Blob(['hello']), 'other.txt');
    expect(await send(url, form)).toEqual({ status: 200, text: 'OK - 5' });
  });

  test('accepts bytes without an announced size', async () => {
    const { upload_url: url } = await start();
    const body = new Blob(['hello']).stream();
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([answer.status, await answer.text()]).toEqual([200, 'OK - 5']);
  });

  const form = (content: string, besides = ''): FormData => {
    const made = new FormData();
    made.append('besides', besides);
    made.append('body', new Blob([content]), 'a.txt');
    return made;
  };
  test.each([
    ['too few bytes', () => 'four', 'upload_size_differs'],
    ['too many bytes', () => 'sixsix', 'upload_size_differs'],
    ['no bytes', () => '', 'upload_size_differs'],
    ['too few bytes in a form', () => form('four'), 'upload_size_differs'],
    ['too many bytes in a form', () => form('sixsix'), 'upload_size_differs'],
    [
      'a form that is too large',
      () => form('hello', 'x'.repeat(MAX_FORM_AROUND_FILE)),
      'upload_size_differs',
    ],
  ])('refuses %s and stays usable', async (_name, body, code) => {
    const { upload_url: url, file_id: id } = await start();
    expect(await send(url, body())).toEqual(refused(400, code));
    expect(await complete({ files: [{ id }] })).toMatchObject({ error: 'file_not_found' });
    expect(await send(url, 'hello')).toMatchObject({ status: 200 });
  });

  test('refuses more bytes than declared while they arrive', async () => {
    const { upload_url: url } = await start();
    const body = new Blob(['x'.repeat(500_000)]).stream();
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([answer.status, await answer.json()]).toEqual([400, { ok: false, error: 'upload_size_differs' }]);
  });

  test('refuses a form without a file', async () => {
    const { upload_url: url } = await start();
    const without = new FormData();
    without.append('body', 'hello');
    expect(await send(url, without)).toEqual(refused(400, 'upload_form_malformed'));
  });

  test('works once, also before and after the file is shared', async () => {
    const { upload_url: url, file_id: id } = await start();
    expect(await send(url, 'hello')).toMatchObject({ status: 200 });
    expect(await send(url, 'other')).toEqual(refused(403, 'already_stored'));
    expect(await complete({ files: [{ id }], channel_id: channel })).toMatchObject({ ok: true });
    expect(await send(url, 'other')).toEqual(refused(403, 'already_stored'));
  });

  test('accepts exactly one of several concurrent uploads', async () => {
    const { upload_url: url } = await start({ length: 200_000 });
    const bodies = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
    const answers = await Promise.all(bodies.map((body) => send(url, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 403, 409]).toContain(status);
  });

  test('refuses an expired, a changed and an unknown address', async () => {
    const { upload_url: url, file_id: fileId } = await start();
    const id = uuidOf(fileId, 'file')!;
    const tokens = api.app.get(UploadTokens);
    const past = Math.floor(Date.now() / 1000) - 1;
    const other = url.endsWith('A') ? 'B' : 'A';
    const { spaceId } = fixture.space;
    const strange = [
      tokens.urlOf({ spaceId, id, expiresAt: past }),
      tokens.urlOf({ spaceId: bot.id, id, expiresAt: past + 60 }),
      tokens.urlOf({ spaceId, id: bot.id, expiresAt: past + 60 }),
      url.slice(0, -1) + other,
      `${proxy.url.replace(/\/$/, '')}/slack/uploads/x`,
    ];
    for (const address of strange) expect(await send(address, 'hello')).toEqual(refused(403, 'link_refused'));
  });

  test('an upload that is interrupted stores nothing and leaves the address usable', async () => {
    const { upload_url: url } = await start({ length: 10 });
    const headers = { 'content-length': '10', expect: '100-continue' };
    const half = request(url, { method: 'POST', headers });
    half.on('error', () => undefined);
    half.flushHeaders();
    await once(half, 'continue');
    half.write('half');
    expect(await send(url, 'x')).toEqual(refused(409, 'upload_in_progress'));
    half.destroy();
    await eventually(async () => expect(await send(url, 'x')).toEqual(refused(400, 'upload_size_differs')));
    expect(await send(url, 'ten bytes!')).toEqual({ status: 200, text: 'OK - 10' });
  });
});

describe('files.completeUploadExternal', () => {
  test('posts files without a text', async () => {
    const id = await uploaded();
    expect(await complete({ files: JSON.stringify([{ id }]), channels: channel })).toEqual({
      ok: true,
      files: [{ id, title: 'a.txt' }],
    });
    await joinOwner();
    expect((await messages()).at(-1)).toMatchObject({
      text: '',
      author_id: bot.id,
      attachment_status: 'attached',
      attachments: [{ file_id: uuidOf(id, 'file'), conversation_id: channelUuid, file_name: 'a.txt' }],
    });
  });

  test('posts blocks, unless there is a comment', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'a *block*' } }];
    const shown = await complete({ files: [{ id: await uploaded() }], channel_id: channel, blocks });
    expect(shown).toMatchObject({ ok: true });
    const args = { channel_id: channel, blocks, initial_comment: 'a comment' };
    const { response_metadata: notes } = await complete({ files: [{ id: await uploaded() }], ...args });
    expect(notes.messages).toEqual(['[WARN] blocks: left out, there is an initial_comment']);
    const { messages: history } = await call('conversations.history', { channel });
    expect(history).toMatchObject([{ text: 'a comment' }, { text: '', blocks }]);
    expect(history[0]).not.toHaveProperty('blocks');
  });

  test('shares in the direct chat with a person', async () => {
    const person = slackId('user', fixture.space.owner.id);
    const id = await uploaded();
    expect(await complete({ files: [{ id }], channels: person })).toMatchObject({ ok: true });
    expect(await downloaded(id)).toEqual({ status: 200, text: 'hello' });
  });

  test('without a channel, the file stays private until it is shared', async () => {
    await joinOwner();
    const id = await uploaded();
    expect(await complete({ files: [{ id, title: 'T' }] })).toEqual({
      ok: true,
      files: [{ id, title: 'T' }],
    });
    expect(await downloaded(id)).toMatchObject({ status: 404 });
    expect(await complete({ files: [{ id }], channel_id: channel })).toMatchObject({ ok: true });
    expect(await downloaded(id)).toEqual({ status: 200, text: 'hello' });
    expect(await complete({ files: [{ id }], channel_id: channel })).toMatchObject({
      error: 'file_already_shared',
    });
  });

  test("refuses another bot's file, an unknown one and one without bytes, and posts nothing", async () => {
    const other = await fixture.bot();
    const foreign = await uploaded('hello', other.token);
    const { file_id: without } = await start();
    const own = await uploaded();
    for (const id of [foreign, without, slackId('file', bot.id), 'F1', bot.id])
      expect(await complete({ files: [{ id: own }, { id }], channel_id: channel })).toMatchObject({
        ok: false,
        error: 'file_not_found',
      });
    expect((await call('conversations.history', { channel })).messages).toEqual([]);
    expect(await complete({ files: [{ id: own }], channel_id: channel })).toMatchObject({ ok: true });
  });

  test.each([
    [{ files: undefined }, 'invalid_arguments'],
    [{ files: [] }, 'invalid_arguments'],
    [{ files: {} }, 'invalid_arguments'],
    [{ files: 'x' }, 'invalid_arguments'],
    [{ files: [null] }, 'invalid_arguments'],
    [{ files: [{ id: 7 }] }, 'invalid_arguments'],
    [{ channel_id: undefined, initial_comment: 'x' }, 'invalid_arguments'],
    [{ channel_id: undefined, thread_ts: '1.000000' }, 'invalid_arguments'],
    [{ channel_id: 'C1' }, 'channel_not_found'],
    [{ channel_id: undefined, channels: 'C1,C2' }, 'channels_limit_exceeded'],
    [{ thread_ts: '1.000000' }, 'thread_not_found'],
    [{ initial_comment: 'x'.repeat(40_001) }, 'msg_too_long'],
    [{ blocks: 'x' }, 'invalid_arguments'],
    [{ blocks: [7] }, 'invalid_blocks_format'],
  ])('refuses %j', async (args, error) => {
    const files = [{ id: await uploaded() }];
    expect(await complete({ files, channel_id: channel, ...args })).toMatchObject({ ok: false, error });
    expect(await readRows(api.db, 'SELECT id FROM messages WHERE author_id = $1', [bot.id])).toEqual([]);
  });

  test('refuses a file twice, and more than 15', async () => {
    const { file_id: id } = await start();
    expect(await complete({ files: [{ id }, { id }] })).toMatchObject({ error: 'invalid_arguments' });
    expect(await complete({ files: Array(16).fill({ id }) })).toMatchObject({ error: 'invalid_arguments' });
  });

  test('outside of its channels, a bot shares nothing and can try another one', async () => {
    const id = await uploaded();
    const other = await fixture.bot();
    const elsewhere = slackId('publicChannel', await fixture.channelOf(other));
    expect(await complete({ files: [{ id }], channel_id: elsewhere })).toMatchObject({
      error: 'not_in_channel',
    });
    expect(await complete({ files: [{ id }], channel_id: channel })).toMatchObject({ ok: true });
  });
});

test('with S3, exactly one of several concurrent uploads is stored, and its file is posted', async () => {
  const s3 = await TestStorage.start('s3');
  const other = await startBotsApi(s3.env, [AppsModule, FilesModule, s3.routes, SlackSurfaceModule]);
  try {
    const space = await BotsFixture.of(other);
    const { id, token } = await space.bot();
    const place = slackId('publicChannel', await space.channelOf({ id, token }));
    const method = async (name: string, body: object): Promise<Answer> =>
      (await other.call('POST', `/slack/api/files.${name}`, { token, body })).body;
    const started = await method('getUploadURLExternal', { filename: 'a.txt', length: 100_000 });
    const url = other.url + new URL(started['upload_url']).pathname;
    const bodies = ['a', 'b', 'c'].map((letter) => letter.repeat(100_000));
    const answers = await Promise.all(bodies.map((body) => send(url, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const args = { files: [{ id: started['file_id'] }], channel_id: place };
    expect(await method('completeUploadExternal', args)).toMatchObject({ ok: true });
  } finally {
    await other.close();
    await s3.close();
  }
});

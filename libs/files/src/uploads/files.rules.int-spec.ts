import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { FilesHarness, follow, startFilesApi, TestStorage } from '../testing/index.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';

let storage: TestStorage;
let api: TestApi;
let harness: FilesHarness;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { FILE_MAX_BYTES: '1000' });
});
beforeEach(async () => {
  harness = await FilesHarness.of(api);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const countFiles = async (): Promise<number> =>
  (await readRows<{ n: number }>(api.db, 'SELECT count(*) AS n FROM files'))[0]!.n;

describe('upload rules', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['no conversation', { conversation_id: undefined }, 'conversation_id is required'],
    ['a malformed conversation', { conversation_id: 'general' }, 'conversation_id must be a uuid'],
    ['no name', { file_name: undefined }, 'file_name is required'],
    ['an empty name', { file_name: '' }, 'file_name is required'],
    ['a name that is not a text', { file_name: 5 }, 'file_name must be a string'],
    [
      '256 characters',
      { file_name: '😀'.repeat(256) },
      'file_name must be a text of 1 to 255 characters without control characters',
    ],
    [
      'a line break in the name',
      { file_name: 'a\nb' },
      'file_name must be a text of 1 to 255 characters without control characters',
    ],
    [
      'a C1 control character',
      { file_name: 'a\u0085b' },
      'file_name must be a text of 1 to 255 characters without control characters',
    ],
    ['no size', { file_size: null }, 'file_size is required'],
    ['size 0', { file_size: 0 }, 'file_size must be a whole number of bytes, at least 1'],
    ['a negative size', { file_size: -1 }, 'file_size must be a whole number of bytes, at least 1'],
    ['half a byte', { file_size: 1.5 }, 'file_size must be a whole number of bytes, at least 1'],
    ['a size as text', { file_size: '5' }, 'file_size must be a whole number of bytes, at least 1'],
    ['a size over the limit', { file_size: 1001 }, 'file too large (max 1000 bytes)'],
    ['no type', { mime_type: undefined }, 'mime_type is required'],
    ['a type that is not allowed', { mime_type: 'application/x-msdownload' }, 'unsupported mime_type'],
    ['a malformed type', { mime_type: 'image/' }, 'unsupported mime_type'],
  ])('%s: 400', async (_, body, error) => {
    const before = await countFiles();
    const response = await harness.session(body);
    expect([response.status, response.body]).toEqual([400, { error }]);
    expect(await countFiles()).toBe(before);
  });

  test('the longest name, the largest and the smallest size, unknown fields', async () => {
    const name = '😀'.repeat(255);
    const { status, body } = await harness.session({
      file_name: name,
      file_size: 1000,
      file_id: UNKNOWN,
      bot_id: UNKNOWN,
      space_id: UNKNOWN,
      status: 'ready',
    });
    expect([status, body.file.file_name, body.file.status]).toEqual([200, name, 'uploading']);
    expect(body.file.file_id).not.toBe(UNKNOWN);
    expect((await harness.session({ file_size: 1 })).status).toBe(200);
  });

  test.each([
    ['{"conversation_id":', 'invalid JSON'],
    ['[]', 'invalid JSON'],
    ['', 'invalid JSON'],
    ['{"file_name":"a\\u0000"}', 'text must not contain NUL characters'],
  ])('the body %p: 400', async (body, error) => {
    for (const path of ['upload_sessions', `${UNKNOWN}/confirm`]) {
      const response = await fetch(`${api.url}/api/v1/bot/files/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.bot.token}`, 'content-type': 'application/json' },
        body,
      });
      expect([response.status, await response.json()]).toEqual([400, { error }]);
    }
  });
});

describe('conversations', () => {
  test('a conversation that is unknown or without the bot gets 403', async () => {
    const elsewhere = await harness.conversation({
      scope: 'public',
      members: [{ id: harness.person.id, type: 'user' }],
    });
    const foreign = await (await FilesHarness.of(api)).conversation();
    for (const conversation_id of [elsewhere, foreign, UNKNOWN]) {
      expect(await harness.session({ conversation_id })).toMatchObject({
        status: 403,
        body: { error: 'bot not in conversation' },
      });
    }
  });

  test('an archived conversation gets 403', async () => {
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [harness.channel]);
    expect(await harness.session()).toMatchObject({
      status: 403,
      body: { error: 'conversation is archived' },
    });
  });

  test('a direct chat and a thread', async () => {
    const direct = await harness.chat.direct(
      { id: harness.bot.botId, type: 'bot' },
      { id: harness.person.id, type: 'user' },
    );
    const root = await harness.chat.post(harness.channel, { id: harness.person.id, type: 'user' }, 'root');
    const { conversationId: thread } = await harness.chat.post(
      harness.channel,
      { id: harness.person.id, type: 'user' },
      'reply',
      { parentMessageId: root.messageId },
    );
    for (const conversation_id of [direct, thread]) {
      const { status, body } = await harness.session({ conversation_id });
      expect([status, body.file.conversation_id]).toEqual([200, conversation_id]);
    }
  });

  test('another conversation, bot or space and an unknown file all get 404', async () => {
    const id = await harness.files().ready(harness.channel);
    const other = await harness.conversation();
    const colleague = harness.newBot();
    await api.db.query(
      `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'bot')`,
      [harness.space.spaceId, harness.channel, colleague.botId],
    );
    const stranger = (await FilesHarness.of(api)).bot;
    const attempts: [string, string, string][] = [
      [id, other, harness.bot.token],
      [id, UNKNOWN, harness.bot.token],
      [UNKNOWN, harness.channel, harness.bot.token],
      [id, harness.channel, colleague.token],
      [id, harness.channel, stranger.token],
      ['x', harness.channel, harness.bot.token],
    ];
    for (const [file, conversation, token] of attempts) {
      for (const response of [
        await harness.confirm(file, conversation, token),
        await harness.download(file, conversation, token),
      ]) {
        expect([response.status, response.body]).toEqual([404, { error: 'file not found' }]);
      }
    }
    expect((await harness.download(id)).status).toBe(200);
  });

  test('confirming and downloading without a conversation get 400', async () => {
    const id = await harness.files().ready(harness.channel);
    expect(await harness.confirm(id, null)).toMatchObject({
      status: 400,
      body: { error: 'conversation_id is required' },
    });
    expect(await harness.confirm(id, 'x')).toMatchObject({
      status: 400,
      body: { error: 'conversation_id must be a uuid' },
    });
    expect(await harness.call('GET', `/${id}/download_url`)).toMatchObject({
      status: 400,
      body: { error: 'conversation_id is required' },
    });
    expect(
      await harness.call(
        'GET',
        `/${id}/download_url?conversation_id=${harness.channel}&conversation_id=${harness.channel}`,
      ),
    ).toMatchObject({ status: 400 });
  });
});

describe('every response other than 2xx is only {error}', () => {
  test.each<[number, string, () => Promise<TestAnswer>]>([
    [
      401,
      'missing authorization header',
      () => api.call('POST', '/api/v1/bot/files/upload_sessions', { body: {} }),
    ],
    [
      401,
      'invalid authorization format',
      () =>
        api.call('POST', '/api/v1/bot/files/upload_sessions', {
          body: {},
          headers: { authorization: 'Token x' },
        }),
    ],
    [401, 'invalid or revoked token', () => harness.session({}, 'tlb_unknown')],
    [401, 'invalid or revoked token', () => harness.session({}, harness.person.token)],
    [404, 'not found', () => harness.call('GET', '/nothing/here')],
    [405, 'method not allowed', () => harness.call('DELETE', '/upload_sessions')],
    [405, 'method not allowed', () => harness.call('GET', `/${UNKNOWN}/confirm`)],
    [413, 'request body too large', () => harness.session({ more: 'x'.repeat(1_100_000) })],
  ])('%i %s', async (status, error, attempt) => {
    const response = await attempt();
    expect([response.status, response.body]).toEqual([status, { error }]);
  });

  test('as the OpenAPI document says', async () => {
    const { body } = await api.call('GET', '/api/openapi.json');
    const operations = Object.entries(
      body.paths as Record<string, Record<string, { responses: Record<string, any> }>>,
    ).filter(([path]) => path.startsWith('/api/v1/bot/files'));
    expect(operations).toHaveLength(3);
    for (const { responses } of operations.flatMap(([, methods]) => Object.values(methods))) {
      const errors = Object.entries(responses).filter(([code]) => !code.startsWith('2'));
      expect(errors.map(([code]) => code)).toEqual(expect.arrayContaining(['400', '401', '503']));
      for (const [, { content }] of errors)
        expect(content['application/json']).toEqual({
          schema: { $ref: '#/components/schemas/PlainError' },
          example: { error: expect.any(String) },
        });
    }
    expect(body.components.schemas.PlainError).toMatchObject({
      required: ['error'],
      properties: { error: { type: 'string' } },
    });
  });
});

describe('people', () => {
  async function attached(conversationId = harness.channel): Promise<string> {
    const id = await harness.files().ready(conversationId, { content: 'hello' });
    const { messageId } = await harness.chat.post(
      conversationId,
      { id: harness.bot.botId, type: 'bot' },
      'here',
    );
    await api.db.query('UPDATE files SET message_id = $2, position = 1 WHERE id = $1', [id, messageId]);
    return id;
  }

  test('a member gets a link', async () => {
    const id = await attached();
    const { status, body } = await harness.downloadAs(harness.person, id.toUpperCase());
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        file_id: id,
        download_url: expect.any(String),
        expires_at: expect.any(Number),
        file: { file_id: id, status: 'ready' },
      },
    ]);
    expect(await (await follow(api, body.download_url)).text()).toBe('hello');
  });

  test('a member of a channel gets the files of its threads', async () => {
    const root = await harness.chat.post(harness.channel, { id: harness.person.id, type: 'user' }, 'root');
    const { conversationId: thread } = await harness.chat.post(
      harness.channel,
      { id: harness.person.id, type: 'user' },
      'reply',
      { parentMessageId: root.messageId },
    );
    expect((await harness.downloadAs(harness.person, await attached(thread))).status).toBe(200);
  });

  test('others do not, not even for a public channel', async () => {
    const stranger = await harness.space.person('member');
    for (const id of [await attached(), await attached(await harness.conversation({ scope: 'public' }))]) {
      for (const person of [stranger, harness.space.owner])
        expect(await harness.downloadAs(person, id)).toMatchObject({
          status: 403,
          body: { ok: false, error: 'not a member of the conversation' },
        });
    }
  });

  test('unattached, foreign and unknown files get 404, and a bot gets 403', async () => {
    const id = await attached();
    const other = await FilesHarness.of(api);
    expect(
      (await harness.downloadAs(harness.person, await harness.files().ready(harness.channel))).status,
    ).toBe(404);
    expect((await harness.downloadAs(other.person, id)).status).toBe(404);
    for (const unknown of [UNKNOWN, 'x'])
      expect(await harness.downloadAs(harness.person, unknown)).toMatchObject({
        status: 404,
        body: { ok: false, error: 'file not found' },
      });
    expect((await harness.downloadAs(harness.bot, id)).status).toBe(403);
  });
});

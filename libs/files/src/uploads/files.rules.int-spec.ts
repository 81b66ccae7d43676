import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { FilesRig, follow, startFilesApi, TestStorage } from '../testing/index.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';

let storage: TestStorage;
let api: TestApi;
let rig: FilesRig;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { FILE_MAX_BYTES: '1000' });
});
beforeEach(async () => {
  rig = await FilesRig.of(api);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const countFiles = async (): Promise<number> =>
  (await readRows<{ n: number }>(api.db, 'SELECT count(*) AS n FROM files'))[0]!.n;

describe('what may be uploaded', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['no conversation', { conversation_id: undefined }, 'conversation_id is required'],
    ['a malformed conversation', { conversation_id: 'general' }, 'conversation_id must be a uuid'],
    ['no name', { file_name: undefined }, 'file_name is required'],
    ['an empty name', { file_name: '' }, 'file_name is required'],
    ['a name that is no text', { file_name: 5 }, 'file_name must be a string'],
    [
      '256 characters',
      { file_name: '😀'.repeat(256) },
      'file_name must be a text of 1 to 255 characters without control characters',
    ],
    [
      'a line end in the name',
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
    const answer = await rig.session(body);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
    expect(await countFiles()).toBe(before);
  });

  test('the longest name, the largest and the smallest size, unknown fields', async () => {
    const name = '😀'.repeat(255);
    const { status, body } = await rig.session({
      file_name: name,
      file_size: 1000,
      file_id: UNKNOWN,
      bot_id: UNKNOWN,
      space_id: UNKNOWN,
      status: 'ready',
    });
    expect([status, body.file.file_name, body.file.status]).toEqual([200, name, 'uploading']);
    expect(body.file.file_id).not.toBe(UNKNOWN);
    expect((await rig.session({ file_size: 1 })).status).toBe(200);
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
        headers: { authorization: `Bearer ${rig.bot.token}`, 'content-type': 'application/json' },
        body,
      });
      expect([response.status, await response.json()]).toEqual([400, { error }]);
    }
  });
});

describe('where', () => {
  test('a conversation that the bot is no member of, or does not know: 403', async () => {
    const elsewhere = await rig.conversation({
      scope: 'public',
      members: [{ id: rig.person.id, type: 'user' }],
    });
    const foreign = await (await FilesRig.of(api)).conversation();
    for (const conversation_id of [elsewhere, foreign, UNKNOWN]) {
      expect(await rig.session({ conversation_id })).toMatchObject({
        status: 403,
        body: { error: 'bot not in conversation' },
      });
    }
  });

  test('an archived one: 403', async () => {
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [rig.channel]);
    expect(await rig.session()).toMatchObject({ status: 403, body: { error: 'conversation is archived' } });
  });

  test('a direct chat and a thread', async () => {
    const direct = await rig.chat.direct(
      { id: rig.bot.botId, type: 'bot' },
      { id: rig.person.id, type: 'user' },
    );
    const root = await rig.chat.post(rig.channel, { id: rig.person.id, type: 'user' }, 'root');
    const { conversationId: thread } = await rig.chat.post(
      rig.channel,
      { id: rig.person.id, type: 'user' },
      'reply',
      { parentMessageId: root.messageId },
    );
    for (const conversation_id of [direct, thread]) {
      const { status, body } = await rig.session({ conversation_id });
      expect([status, body.file.conversation_id]).toEqual([200, conversation_id]);
    }
  });

  test('another conversation, another bot, another space, an unknown file: 404 for all', async () => {
    const id = await rig.files().ready(rig.channel);
    const other = await rig.conversation();
    const colleague = rig.newBot();
    await api.db.query(
      `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'bot')`,
      [rig.space.spaceId, rig.channel, colleague.botId],
    );
    const stranger = (await FilesRig.of(api)).bot;
    const attempts: [string, string, string][] = [
      [id, other, rig.bot.token],
      [id, UNKNOWN, rig.bot.token],
      [UNKNOWN, rig.channel, rig.bot.token],
      [id, rig.channel, colleague.token],
      [id, rig.channel, stranger.token],
      ['x', rig.channel, rig.bot.token],
    ];
    for (const [file, conversation, token] of attempts) {
      for (const answer of [
        await rig.confirm(file, conversation, token),
        await rig.download(file, conversation, token),
      ]) {
        expect([answer.status, answer.body]).toEqual([404, { error: 'file not found' }]);
      }
    }
    expect((await rig.download(id)).status).toBe(200);
  });

  test('confirming and downloading without a conversation: 400', async () => {
    const id = await rig.files().ready(rig.channel);
    expect(await rig.confirm(id, null)).toMatchObject({
      status: 400,
      body: { error: 'conversation_id is required' },
    });
    expect(await rig.confirm(id, 'x')).toMatchObject({
      status: 400,
      body: { error: 'conversation_id must be a uuid' },
    });
    expect(await rig.call('GET', `/${id}/download_url`)).toMatchObject({
      status: 400,
      body: { error: 'conversation_id is required' },
    });
    expect(
      await rig.call(
        'GET',
        `/${id}/download_url?conversation_id=${rig.channel}&conversation_id=${rig.channel}`,
      ),
    ).toMatchObject({ status: 400 });
  });
});

describe('every answer other than 2xx is {error} alone', () => {
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
    [401, 'invalid or revoked token', () => rig.session({}, 'tlb_unknown')],
    [401, 'invalid or revoked token', () => rig.session({}, rig.person.token)],
    [404, 'not found', () => rig.call('GET', '/nothing/here')],
    [405, 'method not allowed', () => rig.call('DELETE', '/upload_sessions')],
    [405, 'method not allowed', () => rig.call('GET', `/${UNKNOWN}/confirm`)],
    [413, 'request body too large', () => rig.session({ more: 'x'.repeat(1_100_000) })],
  ])('%i %s', async (status, error, attempt) => {
    const answer = await attempt();
    expect([answer.status, answer.body]).toEqual([status, { error }]);
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
  async function attached(conversationId = rig.channel): Promise<string> {
    const id = await rig.files().ready(conversationId, { content: 'hello' });
    const { messageId } = await rig.chat.post(conversationId, { id: rig.bot.botId, type: 'bot' }, 'here');
    await api.db.query('UPDATE files SET message_id = $2, position = 1 WHERE id = $1', [id, messageId]);
    return id;
  }

  test('a member gets a link', async () => {
    const id = await attached();
    const { status, body } = await rig.downloadAs(rig.person, id.toUpperCase());
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
    const root = await rig.chat.post(rig.channel, { id: rig.person.id, type: 'user' }, 'root');
    const { conversationId: thread } = await rig.chat.post(
      rig.channel,
      { id: rig.person.id, type: 'user' },
      'reply',
      { parentMessageId: root.messageId },
    );
    expect((await rig.downloadAs(rig.person, await attached(thread))).status).toBe(200);
  });

  test('others do not, not even of a public channel', async () => {
    const stranger = await rig.space.person('member');
    for (const id of [await attached(), await attached(await rig.conversation({ scope: 'public' }))]) {
      for (const person of [stranger, rig.space.owner])
        expect(await rig.downloadAs(person, id)).toMatchObject({
          status: 403,
          body: { ok: false, error: 'not a member of the conversation' },
        });
    }
  });

  test("what no message shows, another space's, unknown: 404; a bot 403", async () => {
    const id = await attached();
    const other = await FilesRig.of(api);
    expect((await rig.downloadAs(rig.person, await rig.files().ready(rig.channel))).status).toBe(404);
    expect((await rig.downloadAs(other.person, id)).status).toBe(404);
    for (const unknown of [UNKNOWN, 'x'])
      expect(await rig.downloadAs(rig.person, unknown)).toMatchObject({
        status: 404,
        body: { ok: false, error: 'file not found' },
      });
    expect((await rig.downloadAs(rig.bot, id)).status).toBe(403);
  });
});

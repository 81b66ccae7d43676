import { uuidv7 } from 'uuidv7';
import type { ChatEvent } from '@tieline/conversations';
import type { Member } from '@tieline/conversations/testing';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { BotMessagesModule } from './bot-messages.module.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const ACTIONS = JSON.stringify({
  version: 1,
  blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Go' }] }],
});
const NO_CALLBACK = 'interactive blocks need a callback_url or poll mode';

/** The code and field of a 400. */
const invalid = (field: string): object => ({ code: 'invalid_field', field });

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' }, [
    BotMessagesModule,
  ]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

function send(
  body: unknown,
  { headers, token = bot.token }: { headers?: Record<string, string>; token?: string } = {},
): Promise<TestAnswer> {
  return api.call('POST', '/api/v1/bot/messages', { token, body, headers });
}

function edit(messageId: string, body: unknown, token = bot.token): Promise<TestAnswer> {
  return api.call('PATCH', `/api/v1/bot/messages/${messageId}`, { token, body });
}

async function sent(body: object): Promise<string> {
  const response = await send({ conversation_id: channel, content: 'hello', ...body });
  expect(response.status).toBe(200);
  return response.body.message_id;
}

async function stored(messageId: string): Promise<Record<string, any>> {
  const [row] = await readRows<Record<string, any>>(api.db, 'SELECT * FROM messages WHERE id = $1', [
    messageId,
  ]);
  return row!;
}

/** Returns the events of one message, oldest first. */
async function eventsOf(messageId: string): Promise<ChatEvent[]> {
  const events = (await fixture.chat.events()).map(({ payload }) => payload as ChatEvent);
  return events.filter(({ message }) => message?.message_id === messageId);
}

const countMessages = async (): Promise<number> =>
  (await readRows<{ n: number }>(api.db, 'SELECT count(*) AS n FROM messages'))[0]!.n;

describe('POST /bot/messages', () => {
  test('posts to a channel, a voice chat, a private channel and a DM', async () => {
    const member: Member = { id: bot.id, type: 'bot' };
    const person: Member = { id: uuidv7(), type: 'user' };
    const places = [
      channel,
      await fixture.chat.conversation({ type: 'voice', members: [member] }),
      await fixture.chat.conversation({ scope: 'private', members: [member] }),
      await fixture.chat.direct(member, person),
    ];
    for (const place of places) {
      const { status, body } = await send({ conversation_id: place.toUpperCase(), content: ' **hi**\n' });
      expect([status, body]).toEqual([
        200,
        { ok: true, message_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      ]);
      expect(await stored(body.message_id)).toMatchObject({
        conversation_id: place,
        author_id: bot.id,
        author_type: 'bot',
        text: ' **hi**\n',
        msg_index: 1,
      });
    }
  });

  test('appends one MESSAGE_CREATED with all sent fields', async () => {
    const metadata = '{"version":1,"blocks":[{"type":"divider"}]}';
    const id = await sent({
      display_name: 'Deployer',
      display_avatar_url: 'https://example.com/a.png',
      metadata_json: metadata,
      text: 'ignored',
      author_id: UNKNOWN,
    });
    const [created, ...more] = await eventsOf(id);
    expect(more).toEqual([]);
    expect(created).toMatchObject({
      event_type: 'MESSAGE_CREATED',
      space_id: fixture.space.spaceId,
      actor_id: bot.id,
      actor_type: 'bot',
      data: { message_id: id, conversation_id: channel, author_id: bot.id, text: 'hello' },
      message: {
        display_name: 'Deployer',
        display_avatar_url: 'https://example.com/a.png',
        metadata_json: metadata,
        attachments: [],
        attachment_status: 'none',
      },
    });
  });

  test('empty optional fields count as absent', async () => {
    const id = await sent({
      display_name: '',
      display_avatar_url: '',
      parent_message_id: '',
      metadata_json: '',
      attachments: [],
    });
    expect(await stored(id)).toMatchObject({
      display_name: null,
      display_avatar_url: null,
      metadata_json: null,
      thread_id: null,
    });
  });

  test.each<[string, string | object | undefined, string, object]>([
    ['broken JSON', '{"conversation_id":', 'invalid JSON', { code: 'invalid_json' }],
    ['a list', '[]', 'invalid JSON', { code: 'invalid_json' }],
    ['no body', undefined, 'invalid JSON', { code: 'invalid_json' }],
    ['no conversation', { content: 'x' }, 'conversation_id is required', invalid('conversation_id')],
    [
      'a malformed conversation',
      { conversation_id: 'x', content: 'x' },
      'conversation_id must be a uuid',
      invalid('conversation_id'),
    ],
    ['no content', { conversation_id: UNKNOWN }, 'content or attachments required', invalid('content')],
    [
      'text in place of content',
      { conversation_id: UNKNOWN, text: 'x' },
      'content or attachments required',
      invalid('content'),
    ],
    [
      'blank content',
      { conversation_id: UNKNOWN, content: ' \n ' },
      'content or attachments required',
      invalid('content'),
    ],
    [
      '4001 characters',
      { conversation_id: UNKNOWN, content: 'é'.repeat(4001) },
      'content too long (max 4000 chars)',
      invalid('content'),
    ],
    [
      'a NUL',
      { conversation_id: UNKNOWN, content: 'a\0b' },
      'text must not contain NUL characters',
      { code: 'nul_character' },
    ],
    [
      'an avatar over http',
      { conversation_id: UNKNOWN, content: 'x', display_avatar_url: 'http://example.com' },
      'display_avatar_url must be an HTTPS URL',
      invalid('display_avatar_url'),
    ],
    [
      'metadata as an object',
      { conversation_id: UNKNOWN, content: 'x', metadata_json: {} },
      'metadata_json must be a string',
      invalid('metadata_json'),
    ],
  ])('%s gets 400 and writes nothing', async (_, body, error, named) => {
    const before = await countMessages();
    const raw = await fetch(`${api.url}/api/v1/bot/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bot.token}`, 'content-type': 'application/json' },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    });
    expect([raw.status, await raw.json()]).toEqual([400, { ok: false, error, ...named }]);
    expect(await countMessages()).toBe(before);
  });

  test('4000 characters beyond the basic plane are preserved', async () => {
    const content = '😀'.repeat(4000);
    expect((await stored(await sent({ content }))).text).toBe(content);
  });

  test('a body over 1 MiB gets 413', async () => {
    expect(
      await send({ conversation_id: channel, content: 'x', padding: 'x'.repeat(1_048_576) }),
    ).toMatchObject({ status: 413, body: { ok: false } });
  });

  test("unknown, foreign and other people's conversations get 403 bot not in conversation", async () => {
    const other = await BotsFixture.of(api);
    const theirs = await other.bot();
    const places = [
      UNKNOWN,
      await fixture.channelOf(),
      await fixture.chat.conversation({ scope: 'private' }),
      await other.channelOf(theirs),
    ];
    for (const conversation_id of places) {
      expect(await send({ conversation_id, content: 'x' })).toMatchObject({
        status: 403,
        body: { ok: false, error: 'bot not in conversation' },
      });
    }
    expect(await send({ conversation_id: channel, content: 'x' }, { token: theirs.token })).toMatchObject({
      status: 403,
      body: { error: 'bot not in conversation' },
    });
  });

  test('archived gets 403 conversation is archived, for members only', async () => {
    const stranger = await fixture.bot();
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    expect(await send({ conversation_id: channel, content: 'x' })).toMatchObject({
      status: 403,
      body: { ok: false, error: 'conversation is archived' },
    });
    expect(await send({ conversation_id: channel, content: 'x' }, { token: stranger.token })).toMatchObject({
      status: 403,
      body: { error: 'bot not in conversation' },
    });
  });

  test('50 concurrent messages get the indexes 1 to 50', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => send({ conversation_id: channel, content: `message ${n}` })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await readRows<{ msg_index: number }>(
      api.db,
      'SELECT msg_index FROM messages WHERE conversation_id = $1 ORDER BY 1',
      [channel],
    );
    expect(rows.map(({ msg_index }) => msg_index)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });
});

describe('replies', () => {
  test('are stored in the thread of the root, whichever field names it, and parent_message_id wins', async () => {
    const [root, other] = [await sent({}), await sent({})];
    const replies = [
      await sent({ parent_message_id: root }),
      await sent({ thread_id: root.toUpperCase() }),
      await sent({ parent_message_id: root, thread_id: other }),
      await sent({ parent_message_id: root, thread_id: 'malformed' }),
      await sent({ parent_message_id: null, thread_id: root }),
    ];
    const rows = await Promise.all(replies.map(stored));
    expect(new Set(rows.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    expect(rows.map(({ msg_index, thread_id }) => [msg_index, thread_id])).toEqual(
      [1, 2, 3, 4, 5].map((index) => [index, root]),
    );
    const thread = rows[0]!.conversation_id;
    for (const parent_message_id of [root, replies[1]])
      expect((await stored(await sent({ conversation_id: thread, parent_message_id }))).conversation_id).toBe(
        thread,
      );
    expect(await stored(await sent({ conversation_id: thread }))).toMatchObject({
      conversation_id: thread,
      thread_id: null,
    });
  });

  test('a parent that is not a message there gets 400', async () => {
    const elsewhere = await fixture.channelOf(bot);
    const foreign = await sent({ conversation_id: elsewhere });
    for (const parent_message_id of [foreign, UNKNOWN]) {
      expect(await send({ conversation_id: channel, content: 'x', parent_message_id })).toMatchObject({
        status: 400,
        body: { error: 'parent message not found in this conversation' },
      });
    }
  });
});

describe('interactive blocks', () => {
  test.each(['none', 'webhook'])('get 400 in mode %s, sent and edited', async (event_delivery_mode) => {
    await fixture.admin('PATCH', `/bots/${bot.id}`, {
      webhook_url: 'https://93.184.215.14/',
      event_delivery_mode,
    });
    const id = await sent({});
    expect(await send({ conversation_id: channel, content: 'x', metadata_json: ACTIONS })).toMatchObject({
      status: 400,
      body: { ok: false, error: NO_CALLBACK },
    });
    expect(await edit(id, { content: 'x', metadata_json: ACTIONS })).toMatchObject({
      status: 400,
      body: { ok: false, error: NO_CALLBACK },
    });
    expect((await stored(id)).metadata_json).toBeNull();
  });

  test('are accepted in poll mode', async () => {
    await fixture.admin('PATCH', `/bots/${bot.id}`, { event_delivery_mode: 'poll' });
    const id = await sent({ metadata_json: ACTIONS });
    expect(JSON.parse((await stored(id)).metadata_json)).toMatchObject({
      blocks: [{ type: 'actions', elements: [{ action_id: 'go', signed_token: expect.any(String) }] }],
    });
  });
});

describe('unknown files and triggers', () => {
  test('a file gets 403', async () => {
    const body = { conversation_id: channel, content: 'x', attachments: [{ file_id: UNKNOWN }] };
    for (const one of [body, { ...body, content: '' }]) expect((await send(one)).status).toBe(403);
    expect((await send({ ...body, attachments: [{ file_id: 'x' }] })).status).toBe(400);
  });

  test('a well-formed or malformed trigger gets 404, after all checks with 400', async () => {
    for (const trigger of [UNKNOWN, 'x', '']) {
      expect(await send({ content: 'done' }, { headers: { 'x-service-trigger-id': trigger } })).toMatchObject(
        { status: 404, body: { ok: false } },
      );
    }
    const headers = { 'x-service-trigger-id': UNKNOWN };
    expect(await send({ conversation_id: channel }, { headers })).toMatchObject({
      status: 400,
      body: { error: 'content is required' },
    });
    expect((await send({ content: 'x', attachments: [{ file_id: UNKNOWN }] }, { headers })).status).toBe(400);
  });
});

describe('PATCH /bot/messages/{message_id}', () => {
  test('replaces text and metadata, and clears omitted metadata', async () => {
    const id = await sent({ metadata_json: '{"a":1}', display_name: 'Deployer' });
    const { status, body } = await edit(id.toUpperCase(), {
      content: 'second',
      metadata_json: '{"b":2}',
      display_name: 'ignored',
      conversation_id: UNKNOWN,
    });
    const warnings = ['unknown field: display_name', 'unknown field: conversation_id'];
    expect([status, body]).toEqual([200, { ok: true, message_id: id, warnings }]);
    expect(await stored(id)).toMatchObject({
      text: 'second',
      metadata_json: '{"b":2}',
      display_name: 'Deployer',
      conversation_id: channel,
      edited_at: expect.any(Date),
    });
    for (const metadata_json of ['', null, undefined]) {
      await edit(id, { content: 'with', metadata_json: '{}' });
      await edit(id, { content: 'third', metadata_json });
      expect(await stored(id)).toMatchObject({ text: 'third', metadata_json: null });
    }
    const events = await eventsOf(id);
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'MESSAGE_CREATED',
      ...Array.from({ length: 7 }, () => 'MESSAGE_UPDATED'),
    ]);
    expect(events.at(-1)).toMatchObject({
      actor_id: bot.id,
      data: { text: 'third', edited_at: expect.any(String) },
    });
    const changes = events.slice(1).map(({ data }) => (data as { changes?: string[] }).changes);
    expect(changes).toEqual([
      ['text', 'metadata'],
      ...Array.from({ length: 3 }, () => [
        ['text', 'metadata'],
        ['text', 'metadata'],
      ]).flat(),
    ]);
  });

  test('a reply is edited in its thread', async () => {
    const reply = await sent({ parent_message_id: await sent({}) });
    expect((await edit(reply, { content: 'edited' })).status).toBe(200);
    expect((await stored(reply)).text).toBe('edited');
  });

  test.each<[string, object | undefined, string]>([
    ['no body', undefined, 'invalid JSON'],
    ['no content', {}, 'content is required'],
    ['blank content', { content: '\n' }, 'content is required'],
    ['text in place of content', { text: 'x' }, 'content is required'],
    ['4001 characters', { content: 'x'.repeat(4001) }, 'content too long (max 4000 chars)'],
    ['metadata as an object', { content: 'x', metadata_json: {} }, 'metadata_json must be a string'],
  ])('%s gets 400', async (_, body, error) => {
    const id = await sent({});
    expect(await edit(id, body)).toMatchObject({ status: 400, body: { ok: false, error } });
    expect((await stored(id)).edited_at).toBeNull();
  });

  test('unknown, malformed and foreign messages get 404', async () => {
    const other = await BotsFixture.of(api);
    const theirs = await other.bot();
    const place = await other.channelOf(theirs);
    const foreign = await other.chat.post(place, { id: theirs.id, type: 'bot' }, 'theirs');
    for (const id of [UNKNOWN, 'x', foreign.messageId])
      expect(await edit(id, { content: 'x' })).toMatchObject({ status: 404, body: { ok: false } });
  });

  test("another bot's and a person's message get 403", async () => {
    const other = await fixture.bot();
    const person: Member = { id: fixture.space.owner.id, type: 'user' };
    const shared = await fixture.chat.conversation({
      members: [{ id: bot.id, type: 'bot' }, { id: other.id, type: 'bot' }, person],
    });
    const mine = await sent({ conversation_id: shared });
    expect(await edit(mine, { content: 'x' }, other.token)).toMatchObject({
      status: 403,
      body: { ok: false },
    });
    const theirs = await fixture.chat.post(shared, person, 'theirs');
    expect((await edit(theirs.messageId, { content: 'x' })).status).toBe(403);
    expect((await stored(mine)).text).toBe('hello');
  });

  test('a bot that was removed from the conversation cannot edit there', async () => {
    const messageId = await sent({ content: 'before' });
    const reply = await sent({ content: 'before', parent_message_id: messageId });
    await api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
      channel,
      bot.id,
    ]);
    for (const id of [messageId, reply]) {
      expect(await edit(id, { content: 'after' })).toMatchObject({
        status: 403,
        body: { ok: false, error: 'bot not in conversation' },
      });
      expect((await stored(id)).text).toBe('before');
    }
  });

  test('a deleted message gets 410', async () => {
    const id = await sent({});
    await api.db.query(`UPDATE messages SET text = '', deleted_at = now() WHERE id = $1`, [id]);
    expect(await edit(id, { content: 'x' })).toMatchObject({ status: 410, body: { ok: false } });
  });
});

test('sends and edits that fail internally get 500 failed to send message', async () => {
  const messageId = await sent({ content: 'before' });
  await api.db.query(`
    CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'of ours'; END $$;
    CREATE TRIGGER fault BEFORE INSERT OR UPDATE ON messages FOR EACH ROW WHEN (NEW.text = 'fault') EXECUTE FUNCTION fault()`);
  const key = { 'idempotency-key': 'fault' };
  for (const response of [
    await send({ conversation_id: channel, content: 'fault' }),
    await send({ conversation_id: channel, content: 'fault' }, { headers: key }),
    await edit(messageId, { content: 'fault' }),
  ])
    expect([response.status, response.body]).toEqual([
      500,
      { ok: false, error: 'failed to send message', code: 'internal_error' },
    ]);
  expect((await stored(messageId)).text).toBe('before');
});

describe('access', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['disabled', (id) => fixture.admin('PATCH', `/bots/${id}`, { is_active: false })],
    ['deleted', (id) => fixture.admin('DELETE', `/bots/${id}`)],
    ['given a new token', (id) => fixture.admin('POST', `/bots/${id}/regenerate_token`)],
  ])('a bot that was %s gets 401', async (_, change) => {
    const id = await sent({});
    await change(bot.id);
    for (const response of [
      await send({ conversation_id: channel, content: 'x' }),
      await edit(id, { content: 'x' }),
    ]) {
      expect(response).toMatchObject({ status: 401, body: { ok: false, error: 'invalid or revoked token' } });
    }
  });

  test('people get 401', async () => {
    for (const token of [fixture.space.owner.token, 'tlb_x'])
      expect((await send({ conversation_id: channel, content: 'x' }, { token })).status).toBe(401);
    expect(await api.call('POST', '/api/v1/bot/messages', { body: {} })).toMatchObject({
      status: 401,
      body: { error: 'missing authorization header' },
    });
  });

  test('both endpoints are in the OpenAPI document with their errors', async () => {
    const { body } = await api.call('GET', '/api/openapi.json');
    const operations = [
      body.paths['/api/v1/bot/messages'].post,
      body.paths['/api/v1/bot/messages/{message_id}'].patch,
    ];
    for (const { responses, requestBody } of operations) {
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['200', '400', '401', '403', '404', '410', '413', '429', '503']),
      );
      expect(requestBody.content['application/json'].schema.$ref).toMatch(/MessageDto$/);
    }
  });
});

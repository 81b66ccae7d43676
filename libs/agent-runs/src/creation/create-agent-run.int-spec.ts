import { runInWorkerTx } from '@tieline/platform/database';
import { EditMessage } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';

let api: TestApi;
let fx: RunsFixture;

beforeAll(async () => {
  api = await startRunsApi();
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});
afterAll(() => api?.close());

describe('POST /bot/agent_runs', () => {
  test('creates a run and posts its placeholder, which the history shows with the envelope', async () => {
    const { status, body } = await fx.create({}, { headers: { 'idempotency-key': 'key:1' } });
    const { id, message_id, updated_at, bot_metadata_json } = body.agent_run;
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        agent_run: {
          id: expect.stringMatching(UUID),
          idempotency_key: 'key:1',
          conversation_id: fx.tasks.channel,
          trigger_message_id: fx.trigger,
          message_id: expect.stringMatching(UUID),
          status: 'accepted',
          status_text: 'Запрос принят',
          sequence: 1,
          is_terminal: false,
          public_text: '',
          error_code: '',
          bot_metadata_json,
          attachments: [],
          attachment_status: 'none',
          started_at: TIME,
          updated_at: TIME,
          completed_at: null,
        },
      },
    ]);
    expect(bot_metadata_json).toBe(
      `{"version":1,"kind":"agent_run","agent_run":{"run_id":"${id}","status":"accepted","status_text":"Запрос принят","sequence":1,"is_terminal":false,` +
        `"trigger_message_id":"${fx.trigger}","updated_at":"${updated_at}","completed_at":null,"error_code":""}}`,
    );
    const history = await api.call('GET', `/api/v1/channels/${fx.tasks.channel}/messages`, {
      token: fx.tasks.person.token,
    });
    expect(history.body.messages.at(-1)).toMatchObject({
      message_id,
      author_type: 'bot',
      author_id: fx.tasks.bot.id,
      text: 'Запрос принят',
      metadata_json: bot_metadata_json,
      msg_index: 2,
    });
    const [, created] = await fx.tasks.events<ChatEvent>('MESSAGE_CREATED');
    expect(created).toMatchObject({
      actor_type: 'bot',
      actor_id: fx.tasks.bot.id,
      data: { message_id, text: 'Запрос принят' },
      message: { metadata_json: bot_metadata_json },
    });
    expect((await fx.get(id)).body).toEqual(body);
  });

  test('content is shown instead of the status text and does not become public_text', async () => {
    const run = await fx.run({ content: 'Thinking…' });
    expect([run.public_text, (await fx.placeholders())[0]?.text]).toEqual(['', 'Thinking…']);
    await fx.run({ content: ' \n' });
    expect((await fx.placeholders())[1]?.text).toBe('Запрос принят');
  });

  test('warnings name unknown fields but not aliases', async () => {
    const warnings = async (body: Record<string, unknown>): Promise<unknown> =>
      (await fx.create(body)).body.warnings;
    expect(await warnings({ thread_id: fx.trigger })).toBeUndefined();
    expect(await warnings({ public_text: 'x' })).toEqual(['unknown field: public_text']);
  });

  test.each(['parent_message_id', 'thread_id'])(
    '%s posts the placeholder in the thread of that message',
    async (field) => {
      const run = await fx.run({ [field]: fx.trigger.toUpperCase() });
      expect(run).toMatchObject({ conversation_id: fx.tasks.channel, parent_message_id: fx.trigger });
      expect(await fx.placeholders()).toMatchObject([{ id: run.message_id, thread_id: fx.trigger }]);
    },
  );

  test('a thread can be named by its own id or by its channel, and the object repeats the request', async () => {
    const asked = await fx.tasks.chat.post(
      fx.tasks.channel,
      { id: fx.tasks.person.id, type: 'user' },
      'and this?',
      { parentMessageId: fx.trigger },
    );
    const forms = [
      { conversation_id: asked.conversationId },
      { conversation_id: asked.conversationId, parent_message_id: fx.trigger },
      { parent_message_id: asked.messageId },
    ];
    for (const form of forms) {
      const run = await fx.run({ trigger_message_id: asked.messageId, ...form });
      expect(run.conversation_id).toBe(form.conversation_id ?? fx.tasks.channel);
      expect(run.parent_message_id).toBe(form.parent_message_id && fx.trigger);
    }
    const rows = await api.db.query(
      'SELECT DISTINCT conversation_id FROM messages WHERE space_id = $1 AND author_type = $2',
      [fx.tasks.space.spaceId, 'bot'],
    );
    expect(rows).toEqual([{ conversation_id: asked.conversationId }]);
  });

  test('a repeat returns the current run, with the key in the header, the body or both', async () => {
    const first = (await fx.create({ idempotency_key: 'k' })).body.agent_run;
    await fx.patch(first.id, { status: 'queued', sequence: 4 });
    for (const [body, headers] of [
      [{ content: 'other', parent_message_id: fx.trigger }, { 'idempotency-key': 'k' }],
      [{ idempotency_key: 'k' }, {}],
      [{ idempotency_key: 'k' }, { 'idempotency-key': 'k' }],
    ] as const) {
      const { status, body: answer } = await fx.create(body, { headers: headers as Record<string, string> });
      expect([status, answer.agent_run]).toMatchObject([
        200,
        { id: first.id, status: 'queued', sequence: 4 },
      ]);
    }
    expect(await fx.placeholders()).toHaveLength(1);
  });

  test('409 if the key was used for another conversation or trigger; keys are per bot', async () => {
    const key = { idempotency_key: 'k' };
    const run = await fx.run(key);
    const elsewhere = await fx.tasks.conversation();
    const other = await fx.tasks.say('another', elsewhere);
    const statusOf = async (body: Record<string, unknown>): Promise<number> =>
      (await fx.create({ ...key, ...body })).status;
    expect(await statusOf({ trigger_message_id: await fx.tasks.say() })).toBe(409);
    expect(await statusOf({ conversation_id: elsewhere, trigger_message_id: other })).toBe(409);
    expect(await fx.placeholders()).toHaveLength(1);
    await fx.patch(run.id, { status: 'failed', sequence: 2 });
    expect(await statusOf({})).toBe(200);
    fx.tasks.bot = fx.tasks.newBot();
    const shared = await fx.tasks.conversation();
    const own = await fx.create({
      ...key,
      conversation_id: shared,
      trigger_message_id: await fx.tasks.say('hi', shared),
    });
    expect([own.status, own.body.agent_run?.id === run.id]).toEqual([200, false]);
  });

  test('the key stays valid after the token changes', async () => {
    const run = await fx.run({ idempotency_key: 'k' });
    fx.tasks.bot = fx.tasks.regenerate(fx.tasks.bot);
    expect((await fx.create({ idempotency_key: 'k' })).body.agent_run.id).toBe(run.id);
  });

  test('20 concurrent requests with one key create one run and one placeholder', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fx.create({}, { headers: { 'idempotency-key': 'same' } })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ body }) => body.agent_run.id)).size).toBe(1);
    expect(await fx.placeholders()).toHaveLength(1);
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no key', {}, {}],
    ['a malformed key', {}, { 'idempotency-key': 'a b' }],
    ['a long key', { idempotency_key: 'k'.repeat(129) }, {}],
    ['two different keys', { idempotency_key: 'b' }, { 'idempotency-key': 'a' }],
    ['a key of a wrong type', { idempotency_key: 5 }, {}],
  ])('400: %s', async (_, body, headers) => {
    expect((await fx.create(body, { headers })).status).toBe(400);
  });

  test('the longest key', async () => {
    expect(
      (await fx.create({}, { headers: { 'idempotency-key': `Az09._:-${'k'.repeat(120)}` } })).status,
    ).toBe(200);
  });

  test.each<[string, Record<string, unknown>]>([
    ['no conversation', { conversation_id: undefined }],
    ['a malformed conversation', { conversation_id: 'x' }],
    ['no trigger', { trigger_message_id: null }],
    ['a malformed trigger', { trigger_message_id: 'x' }],
    ['an unknown trigger', { trigger_message_id: UNKNOWN }],
    ['a malformed parent', { parent_message_id: 'x' }],
    ['a malformed thread', { thread_id: 5 }],
    ['an unknown parent', { parent_message_id: UNKNOWN }],
    ['a malformed widget', { widget_id: 'x' }],
    ['a long content', { content: '😀'.repeat(4001) }],
    ['a content of a wrong type', { content: 5 }],
    ['a content with NUL', { content: 'a\0b' }],
  ])('400: %s', async (_, body) => {
    expect(await fx.create(body)).toMatchObject({
      status: 400,
      body: { ok: false, error: expect.any(String) },
    });
    expect(await fx.placeholders()).toEqual([]);
  });

  test('error texts that are part of the API', async () => {
    expect((await fx.create({ conversation_id: null })).body.error).toBe('conversation_id is required');
    expect((await fx.create({ content: 'x'.repeat(4001) })).body.error).toBe(
      'content too long (max 4000 chars)',
    );
  });

  test('400 for a trigger of a bot, of another conversation or of another space', async () => {
    const own = await fx.tasks.chat.post(fx.tasks.channel, { id: fx.tasks.bot.id, type: 'bot' }, 'mine');
    const elsewhere = await fx.tasks.say('there', await fx.tasks.conversation());
    const foreign = (await RunsFixture.of(api)).trigger;
    for (const trigger_message_id of [own.messageId, elsewhere, foreign])
      expect((await fx.create({ trigger_message_id })).status).toBe(400);
    // A message of a thread belongs to the thread's conversation, unless the run answers there.
    const inThread = await fx.tasks.say('there', fx.tasks.channel, fx.trigger);
    expect((await fx.create({ trigger_message_id: inThread })).status).toBe(400);
    expect(
      (await fx.create({ trigger_message_id: inThread, parent_message_id: await fx.tasks.say('other root') }))
        .status,
    ).toBe(400);
  });

  test('400 for a missing body, invalid JSON and a body that is not an object', async () => {
    for (const body of [undefined, '{', '[]', '"x"']) {
      const headers = { authorization: `Bearer ${fx.tasks.bot.token}`, 'idempotency-key': 'k' };
      const response = await fetch(`${api.url}/api/v1/bot/agent_runs`, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toEqual([
        400,
        { ok: false, error: 'invalid JSON', code: 'invalid_json' },
      ]);
    }
  });

  test('accepts values at the limits, treats null and "" as absent, and ignores read-only fields', async () => {
    const absent = { widget_id: null, parent_message_id: '', thread_id: null };
    const unheard = {
      space_id: UNKNOWN,
      bot_id: UNKNOWN,
      status_text: 'x',
      bot_metadata_json: '{}',
      status: 'completed',
      sequence: 9,
      public_text: 'x',
      message_id: UNKNOWN,
    };
    const run = await fx.run({ content: '😀'.repeat(4000), ...absent, ...unheard });
    expect(run).toMatchObject({
      status: 'accepted',
      status_text: 'Запрос принят',
      sequence: 1,
      public_text: '',
    });
    expect(run).not.toHaveProperty('parent_message_id');
    expect(run).not.toHaveProperty('widget_id');
  });

  test("403 for non-members, unknown and other spaces' conversations, and archived ones", async () => {
    const asked = async (conversation_id: string): Promise<TestAnswer> =>
      fx.create({ conversation_id, trigger_message_id: UNKNOWN });
    const strange = await fx.tasks.chat.conversation({ members: [{ id: fx.tasks.person.id, type: 'user' }] });
    for (const id of [strange, UNKNOWN, (await RunsFixture.of(api)).tasks.channel])
      expect(await asked(id)).toMatchObject({ status: 403, body: { error: 'bot not in conversation' } });
    const closed = await fx.tasks.conversation();
    await api.db.query('UPDATE conversations SET archived_at = clock_timestamp() WHERE id = $1', [closed]);
    expect(await asked(closed)).toMatchObject({ status: 403, body: { error: 'conversation is archived' } });
  });
});

test('responses with exact numbers have the JSON content type', async () => {
  const { id } = await fx.run();
  const responses = [await fx.get(id), await fx.get(UNKNOWN)];
  expect(responses.map(({ headers }) => headers.get('content-type'))).toEqual([
    'application/json; charset=utf-8',
    'application/json; charset=utf-8',
  ]);
});

describe('a run belongs to its bot', () => {
  test('404 for other bots, other spaces and unknown ids, 400 for malformed ids, 401 without a token', async () => {
    const { id } = await fx.run();
    const strangers = [fx.tasks.newBot().token, (await RunsFixture.of(api)).tasks.bot.token];
    const calls = [
      ['GET', ''],
      ['PATCH', '', { status: 'queued', sequence: 2 }],
      ['PATCH', '', { status: 'failed', sequence: 2 }],
      ['POST', '/cancel'],
    ] as const;
    for (const [method, path, body] of calls) {
      for (const token of strangers)
        expect((await fx.tasks.call(method, `/agent_runs/${id}${path}`, body, { token })).status).toBe(404);
      expect((await fx.tasks.call(method, `/agent_runs/${UNKNOWN}${path}`, body)).status).toBe(404);
      expect((await fx.tasks.call(method, `/agent_runs/x${path}`, body)).status).toBe(400);
      expect(
        (await fx.tasks.call(method, `/agent_runs/${id}${path}`, body, { token: fx.tasks.person.token }))
          .status,
      ).toBe(401);
    }
    expect((await fx.get(id.toUpperCase())).body.agent_run).toMatchObject({
      id,
      status: 'accepted',
      sequence: 1,
    });
  });

  test('its bot can edit the placeholder only after the run has ended', async () => {
    const run = await fx.run();
    const edit = () =>
      runInWorkerTx(api.db, (tx) =>
        api.app.get(EditMessage).in(tx, {
          spaceId: fx.tasks.space.spaceId,
          messageId: run.message_id,
          editor: { id: fx.tasks.bot.id, type: 'bot' },
          text: 'mine',
        }),
      );
    expect(await edit()).toEqual({ refused: 'guarded' });
    await fx.patch(run.id, { status: 'completed', sequence: 2, public_text: 'done' });
    expect(await edit()).toHaveProperty('message.text', 'mine');
    const forged = await fx.tasks.chat.post(fx.tasks.channel, { id: fx.tasks.bot.id, type: 'bot' }, 'x', {
      metadataJson: (await fx.run()).bot_metadata_json,
      messageId: uuidv7(),
    });
    const free = await runInWorkerTx(api.db, (tx) =>
      api.app.get(EditMessage).in(tx, {
        spaceId: fx.tasks.space.spaceId,
        messageId: forged.messageId,
        editor: { id: fx.tasks.bot.id, type: 'bot' },
        text: 'y',
      }),
    );
    expect(free).toHaveProperty('message.text', 'y');
  });
});

test('concurrent runs in one conversation use at most two connections while they wait for it', async () => {
  const { answers, waited } = await api.whileRowLocked('conversations', fx.tasks.channel, () =>
    Array.from({ length: 12 }, () => fx.create()),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

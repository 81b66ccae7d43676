import { createHash } from 'node:crypto';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { readRows } from '@tieline/testing';
import { TASK_STATUSES } from './states/execution-task.states.js';
import { startTasksApi, TasksFixture } from './testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';

let api: TestApi;
let fx: TasksFixture;

beforeAll(async () => {
  api = await startTasksApi();
});
beforeEach(async () => {
  fx = await TasksFixture.of(api);
});
afterAll(() => api?.close());

const create = (
  body: Record<string, unknown> = {},
  headers: Record<string, string> = { 'idempotency-key': uuidv7() },
): Promise<TestAnswer> =>
  fx.call('POST', '/execution_tasks', { conversation_id: fx.channel, ...body }, { headers });
const patch = (id: string, body: Record<string, unknown>): Promise<TestAnswer> =>
  fx.call('PATCH', `/execution_tasks/${id}`, body);
const get = (id: string): Promise<TestAnswer> => fx.call('GET', `/execution_tasks/${id}`);
const messages = (): Promise<{ id: string; text: string; author_id: string; author_type: string }[]> =>
  readRows(
    api.db,
    'SELECT id, text, author_id, author_type FROM messages WHERE space_id = $1 ORDER BY sent_at',
    [fx.space.spaceId],
  );
const setStatus = (id: string, status: string): Promise<unknown> =>
  api.db.query(
    `UPDATE execution_tasks SET status = $2, closed_at = CASE WHEN $2 IN ('accepted', 'rejected', 'cancelled', 'closed') THEN clock_timestamp() END WHERE id = $1`,
    [id, status],
  );

describe('POST /bot/execution_tasks', () => {
  test('with only a conversation the bot posts an anchor with the title as its text', async () => {
    const { status, body } = await create({ title: 'Report', description: 'By region' });
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        execution_task: {
          widget_id: expect.stringMatching(UUID),
          conversation_id: fx.channel,
          status: 'open',
          title: 'Report',
          description: 'By region',
          public_text: '',
          error_code: '',
          sequence: 1,
          artifacts: [],
          created_at: TIME,
          updated_at: TIME,
          closed_at: null,
        },
        runtime_capability: {
          token: expect.stringMatching(/^tlc_[A-Za-z0-9_-]{43}$/),
          token_prefix: body.runtime_capability.token.slice(0, 12),
          allowed_actions: ['update', 'cancel'],
          expires_at: TIME,
        },
      },
    ]);
    expect(await messages()).toEqual([
      { id: expect.any(String), text: 'Report', author_id: fx.bot.id, author_type: 'bot' },
    ]);
    const hours = (Date.parse(body.runtime_capability.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test.each(['parent_message_id', 'thread_id'])(
    'in the thread of a message (%s) there is no anchor',
    async (field) => {
      const root = await fx.say();
      expect((await create({ [field]: root.toUpperCase() })).body.execution_task).toMatchObject({
        conversation_id: fx.channel,
        title: 'Task',
        description: '',
      });
      expect(await messages()).toHaveLength(1);
    },
  );

  test('a thread can be named by its own id or by a reply', async () => {
    const root = await fx.say();
    const reply = await fx.chat.post(fx.channel, { id: fx.person.id, type: 'user' }, 'and this', {
      parentMessageId: root,
    });
    const forms = [
      { parent_message_id: root },
      { parent_message_id: reply.messageId },
      { conversation_id: reply.conversationId, parent_message_id: root },
      { conversation_id: reply.conversationId },
    ];
    const { execution_task: first } = (await create(forms[0])).body;
    for (const form of forms) expect((await create(form)).status).toBe(409);
    await patch(first.widget_id, { action: 'cancel', sequence: 1 });
    for (const form of forms) {
      const { status, body } = await create(form);
      expect([status, body.execution_task.conversation_id]).toEqual([
        200,
        form.conversation_id ?? fx.channel,
      ]);
      await patch(body.execution_task.widget_id, { action: 'cancel', sequence: 1 });
    }
  });

  test('only a hash of the token is stored', async () => {
    const { body } = await create();
    const rows = await readRows<{ capability_hash: Buffer }>(
      api.db,
      'SELECT * FROM execution_tasks WHERE id = $1',
      [body.execution_task.widget_id],
    );
    const { token } = body.runtime_capability;
    expect(rows[0]?.capability_hash).toEqual(createHash('sha256').update(token).digest());
    expect(JSON.stringify(rows)).not.toContain(token.slice(12));
  });

  test('a repeat returns the current task without a token, with the key in the header, the body or both', async () => {
    const first = (await create({ title: 'A' }, { 'idempotency-key': 'key:1' })).body;
    await patch(first.execution_task.widget_id, { sequence: 1, status: 'in_progress' });
    const { token: _, ...capability } = first.runtime_capability;
    for (const [body, headers] of [
      [{}, { 'idempotency-key': 'key:1' }],
      [{ idempotency_key: 'key:1' }, {}],
      [{ idempotency_key: 'key:1' }, { 'idempotency-key': 'key:1' }],
    ] as const) {
      const repeat = await create({ title: 'A', ...body }, headers as Record<string, string>);
      expect([repeat.status, repeat.body]).toMatchObject([
        200,
        { execution_task: { widget_id: first.execution_task.widget_id, status: 'in_progress', sequence: 2 } },
      ]);
      expect(repeat.body.runtime_capability).toEqual(capability);
    }
    expect(await messages()).toHaveLength(1);
    expect((await create({ title: 'B' }, { 'idempotency-key': 'key:1' })).status).toBe(409);
    expect(
      (
        await fx.call(
          'POST',
          '/execution_tasks',
          { conversation_id: fx.channel, idempotency_key: 'key:1' },
          { token: fx.newBot().token },
        )
      ).status,
    ).toBe(403);
  });

  test('a repeat is answered even if the bot could no longer create the task', async () => {
    const first = await create({}, { 'idempotency-key': 'k' });
    await api.db.query('UPDATE conversations SET archived_at = clock_timestamp() WHERE id = $1', [
      fx.channel,
    ]);
    expect(await create({}, { 'idempotency-key': 'k' })).toMatchObject({
      status: 200,
      body: { execution_task: first.body.execution_task },
    });
  });

  test('20 concurrent requests with one key create one task and one anchor', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => create({}, { 'idempotency-key': 'same' })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ body }) => body.execution_task.widget_id)).size).toBe(1);
    expect(responses.filter(({ body }) => body.runtime_capability.token !== undefined)).toHaveLength(1);
    expect(await messages()).toHaveLength(1);
  });

  test('one of many concurrent creations in one thread succeeds', async () => {
    const root = await fx.say();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => create({ parent_message_id: root })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)]);
    expect(responses.find(({ status }) => status === 409)?.body.error).toBe(
      'an active execution task already exists in the thread',
    );
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no key', {}, {}],
    ['a malformed key', {}, { 'idempotency-key': 'a b' }],
    ['two different keys', { idempotency_key: 'b' }, { 'idempotency-key': 'a' }],
    ['a key of a wrong type', { idempotency_key: 5 }, {}],
  ])('400: %s', async (_, body, headers) => {
    expect((await create(body, headers)).status).toBe(400);
  });

  test.each<[string, Record<string, unknown>, string, string?]>([
    ['no conversation', { conversation_id: undefined }, 'conversation_id'],
    [
      'a parent without a conversation',
      { conversation_id: undefined, parent_message_id: UNKNOWN },
      'conversation_id',
    ],
    ['a malformed conversation', { conversation_id: 'x' }, 'conversation_id'],
    ['a malformed parent', { parent_message_id: 'x' }, 'parent_message_id'],
    ['a malformed thread', { thread_id: 'x' }, 'thread_id'],
    ['an unknown parent', { parent_message_id: UNKNOWN }, 'parent_message_id', 'parent_not_found'],
    ['a malformed run', { agent_run_id: 'x' }, 'agent_run_id'],
    ['an empty title', { title: '' }, 'title'],
    ['a title of whitespace', { title: ' \n' }, 'title'],
    ['a long title', { title: '😀'.repeat(201) }, 'title'],
    ['a title of a wrong type', { title: 5 }, 'title'],
    ['a long description', { description: 'x'.repeat(4001) }, 'description'],
    ['no allowed actions', { allowed_actions: [] }, 'allowed_actions'],
    ['an unknown action', { allowed_actions: ['update', 'delete'] }, 'allowed_actions'],
    ['actions of a wrong type', { allowed_actions: 'update' }, 'allowed_actions'],
  ])('400: %s', async (_, body, field, code = 'invalid_field') => {
    const { status, body: answer } = await create(body);
    expect([status, answer]).toEqual([400, { ok: false, error: expect.any(String), code, field }]);
  });

  test.each([undefined, null, ''])(
    'a conversation of %j gets the documented 400, also with a parent',
    async (conversation_id) => {
      const root = await fx.say();
      for (const parent of [{}, { parent_message_id: root }, { thread_id: root }]) {
        expect(await create({ conversation_id, ...parent })).toMatchObject({
          status: 400,
          body: { ok: false, error: 'conversation_id is required' },
        });
      }
    },
  );

  test('accepts values at the limits, treats null and "" as absent, and ignores unknown ids', async () => {
    const body = {
      title: '😀'.repeat(200),
      description: 'x'.repeat(4000),
      allowed_actions: ['update', 'complete', 'fail', 'cancel'],
      agent_run_id: null,
      parent_message_id: '',
      space_id: UNKNOWN,
      bot_id: UNKNOWN,
    };
    const response = await create(body);
    expect([response.status, response.body.runtime_capability?.allowed_actions]).toEqual([
      200,
      body.allowed_actions,
    ]);
  });

  test('403 for non-members and archived conversations, 404 for an unknown run', async () => {
    const foreign = await TasksFixture.of(api);
    const strange = await fx.chat.conversation({ members: [] });
    for (const conversation_id of [strange, foreign.channel, UNKNOWN]) {
      expect([conversation_id, await create({ conversation_id })]).toMatchObject([
        conversation_id,
        { status: 403, body: { error: 'bot not in conversation' } },
      ]);
    }
    await api.db.query('UPDATE conversations SET archived_at = clock_timestamp() WHERE id = $1', [
      fx.channel,
    ]);
    expect(await create()).toMatchObject({ status: 403, body: { error: 'conversation is archived' } });
    expect((await create({ conversation_id: await fx.conversation(), agent_run_id: UNKNOWN })).status).toBe(
      404,
    );
  });

  test('a message of another conversation is refused as parent without side effects', async () => {
    const elsewhere = await fx.say('x', await fx.conversation());
    expect((await create({ parent_message_id: elsewhere }, { 'idempotency-key': 'k' })).status).toBe(400);
    expect((await create({ title: 'other' }, { 'idempotency-key': 'k' })).status).toBe(200);
  });
});

describe('PATCH and cancel', () => {
  test.each([
    ['update', undefined, 'open'],
    ['update', 'open', 'open'],
    ['update', 'in_progress', 'in_progress'],
    ['update', 'blocked', 'blocked'],
    ['update', 'completed', 'completed'],
    ['complete', undefined, 'completed'],
    ['fail', undefined, 'blocked'],
    ['cancel', undefined, 'cancelled'],
    [undefined, 'blocked', 'blocked'],
  ])('%s %s leads to %s and raises the sequence by one', async (action, status, expected) => {
    const task = await fx.task();
    const response = await patch(task.widget_id, {
      action,
      status,
      sequence: 1,
      title: 'New',
      description: 'd',
      public_text: 'p',
    });
    const closed_at = expected === 'cancelled' ? TIME : null;
    expect([response.status, response.body]).toEqual([
      200,
      {
        ok: true,
        execution_task: {
          ...task,
          status: expected,
          sequence: 2,
          title: 'New',
          description: 'd',
          public_text: 'p',
          updated_at: TIME,
          closed_at,
        },
      },
    ]);
    expect((await get(task.widget_id)).body).toEqual(response.body);
  });

  test('absent fields stay unchanged', async () => {
    const task = await fx.task({ title: 'A', description: 'B' });
    await patch(task.widget_id, { sequence: 1, public_text: 'C' });
    expect(
      (await patch(task.widget_id, { sequence: 2, action: 'fail', title: null })).body.execution_task,
    ).toMatchObject({ title: 'A', description: 'B', public_text: 'C', status: 'blocked' });
  });

  test.each(TASK_STATUSES)('from %s', async (from) => {
    const task = await fx.task();
    await setStatus(task.widget_id, from);
    const expected = ['accepted', 'rejected', 'cancelled', 'closed'].includes(from) ? 409 : 200;
    expect((await patch(task.widget_id, { sequence: 1 })).status).toBe(expected);
    for (const action of ['complete', 'fail', 'cancel']) {
      const { sequence } = (await get(task.widget_id)).body.execution_task;
      expect([action, (await patch(task.widget_id, { action, sequence })).status]).toEqual([
        action,
        expected,
      ]);
    }
    if (expected === 409)
      expect((await fx.call('POST', `/execution_tasks/${task.widget_id}/cancel`)).status).toBe(409);
  });

  test('a sequence other than the current one gets 409', async () => {
    const { widget_id } = await fx.task();
    await patch(widget_id, { sequence: 1 });
    for (const sequence of [1, 3, 9_007_199_254_740_993])
      expect([sequence, (await patch(widget_id, { sequence })).status]).toEqual([sequence, 409]);
    expect((await get(widget_id)).body.execution_task.sequence).toBe(2);
  });

  test('one of many concurrent changes with one sequence succeeds', async () => {
    const { widget_id } = await fx.task();
    const responses = await Promise.all(Array.from({ length: 10 }, () => patch(widget_id, { sequence: 1 })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await get(widget_id)).body.execution_task.sequence).toBe(2);
  });

  test('a change with a key can be repeated, also after the task is finished', async () => {
    const { widget_id } = await fx.task();
    const change = { action: 'cancel', sequence: 1, idempotency_key: 'k' };
    const first = await patch(widget_id, change);
    expect(await patch(widget_id, change)).toMatchObject({ status: 200, body: first.body });
    expect((await patch(widget_id, { ...change, public_text: 'x' })).status).toBe(409);
    expect((await patch(widget_id, { ...change, idempotency_key: 'other' })).status).toBe(409);
    expect((await patch((await fx.task()).widget_id, change)).status).toBe(200);
  });

  test('a repeat after later changes returns the current task', async () => {
    const { widget_id } = await fx.task();
    const change = { status: 'in_progress', sequence: 1, public_text: 'Reading', idempotency_key: 'k' };
    await patch(widget_id, change);
    const { body } = await patch(widget_id, { sequence: 2, public_text: 'Writing' });
    expect(await patch(widget_id, change)).toMatchObject({ status: 200, body });
    expect((await patch(widget_id, { ...change, sequence: 3 })).status).toBe(409);
    expect((await get(widget_id)).body).toEqual(body);
  });

  test('the key of a change can be in the header; two different keys get 400', async () => {
    const { widget_id } = await fx.task();
    const change = (body: object, key = 'h'): Promise<TestAnswer> =>
      fx.call(
        'PATCH',
        `/execution_tasks/${widget_id}`,
        { sequence: 1, ...body },
        { headers: { 'idempotency-key': key } },
      );
    expect([(await change({})).status, (await change({ idempotency_key: 'h' })).status]).toEqual([200, 200]);
    expect((await change({ idempotency_key: 'other' })).status).toBe(400);
    expect((await get(widget_id)).body.execution_task.sequence).toBe(2);
  });

  test('many concurrent repeats of one change are all answered, and one is applied', async () => {
    const { widget_id } = await fx.task();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => patch(widget_id, { sequence: 1, idempotency_key: 'k' })),
    );
    expect(responses.map(({ status, body }) => [status, body.execution_task.sequence])).toEqual(
      Array(10).fill([200, 2]),
    );
  });

  test('a bot removed from the conversation can read and cancel its task but not change it', async () => {
    const { widget_id } = await fx.task();
    await api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
      fx.channel,
      fx.bot.id,
    ]);
    expect(await patch(widget_id, { sequence: 1, public_text: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'bot not in conversation' },
    });
    expect((await get(widget_id)).body.execution_task).toMatchObject({ sequence: 1, public_text: '' });
    expect((await fx.call('POST', `/execution_tasks/${widget_id}/cancel`)).body.execution_task.status).toBe(
      'cancelled',
    );
  });

  test('a refused change does not use its key', async () => {
    const { widget_id } = await fx.task();
    expect((await patch(widget_id, { sequence: 2, idempotency_key: 'k' })).status).toBe(409);
    expect((await patch(widget_id, { sequence: 1, idempotency_key: 'k' })).status).toBe(200);
  });

  test.each<[string, object, string]>([
    ['no sequence', { action: 'update' }, 'sequence'],
    ['sequence 0', { sequence: 0 }, 'sequence'],
    ['a fraction', { sequence: 1.5 }, 'sequence'],
    ['a text', { sequence: '1' }, 'sequence'],
    ['an unknown action', { sequence: 1, action: 'close' }, 'action'],
    ['an unknown status', { sequence: 1, status: 'done' }, 'status'],
    ['accepted by a bot', { sequence: 1, action: 'update', status: 'accepted' }, 'status'],
    ['closed by a bot', { sequence: 1, status: 'closed' }, 'status'],
    ['cancelled as a status', { sequence: 1, status: 'cancelled' }, 'status'],
    ['an unknown status with complete', { sequence: 1, action: 'complete', status: 'done' }, 'status'],
    ['an empty title', { sequence: 1, title: '' }, 'title'],
    ['a long text', { sequence: 1, public_text: 'x'.repeat(4001) }, 'public_text'],
    ['a malformed key', { sequence: 1, idempotency_key: 'a b' }, 'idempotency_key'],
  ])('400: %s', async (_, body, field) => {
    const { widget_id } = await fx.task();
    const response = await patch(widget_id, body as Record<string, unknown>);
    expect([response.status, response.body]).toEqual([
      400,
      { ok: false, error: expect.any(String), code: 'invalid_field', field },
    ]);
  });

  test('cancel increments the sequence and frees the thread', async () => {
    const root = await fx.say();
    const { widget_id } = await fx.task({ parent_message_id: root });
    const { status, body } = await fx.call('POST', `/execution_tasks/${widget_id}/cancel`);
    expect([status, body.execution_task]).toMatchObject([
      200,
      { status: 'cancelled', sequence: 2, closed_at: TIME },
    ]);
    expect((await create({ parent_message_id: root })).status).toBe(200);
  });
});

test('concurrent creations in one conversation use at most two connections while they wait for it', async () => {
  const { answers, waited } = await api.whileRowLocked('conversations', fx.channel, () =>
    Array.from({ length: 12 }, () => create()),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test.each([
  ['updates', (id: string, n: number) => patch(id, { sequence: 1, public_text: `update ${n}` })],
  ['cancellations', (id: string) => fx.call('POST', `/execution_tasks/${id}/cancel`)],
  ['closings by people', (id: string) => fx.asPerson('POST', `/execution_tasks/${id}/close`)],
])('%s of one task at once hold two connections while they wait for it', async (_, change) => {
  const { widget_id: id } = await fx.task();
  const { answers, waited } = await api.whileRowLocked('execution_tasks', id, () =>
    Array.from({ length: 12 }, (_one, n) => change(id, n)),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

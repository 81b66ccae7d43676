import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { startTasksApi, TasksFixture } from '../testing/index.js';

const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let api: TestApi;
let fx: TasksFixture;

beforeAll(async () => {
  api = await startTasksApi();
});
beforeEach(async () => {
  fx = await TasksFixture.of(api);
});
afterAll(() => api?.close());

const path = (id: string, verb = ''): string => `/execution_tasks/${id}${verb}`;
const review = (id: string, decision: unknown, person = fx.person): Promise<TestAnswer> =>
  fx.asPerson('POST', path(id, '/review'), { decision }, person);
const close = (id: string, person = fx.person): Promise<TestAnswer> =>
  fx.asPerson('POST', path(id, '/close'), undefined, person);
const set = (id: string, sequence: number, status: string): Promise<TestAnswer> =>
  fx.call('PATCH', path(id), { sequence, status });

describe('people and tasks', () => {
  test('a member sees what the bot sees', async () => {
    const task = await fx.task({ title: 'Report' });
    expect(await fx.asPerson('GET', path(task.widget_id))).toMatchObject({
      status: 200,
      body: { ok: true, execution_task: task },
    });
  });

  test.each(['accepted', 'rejected'])(
    'a member can set completed work to %s, which finishes the task',
    async (decision) => {
      const { widget_id: id } = await fx.task();
      await set(id, 1, 'completed');
      expect(await review(id, decision)).toMatchObject({
        status: 200,
        body: { ok: true, execution_task: { status: decision, sequence: 3, closed_at: TIME } },
      });
      expect((await review(id, decision)).status).toBe(409);
      expect((await close(id)).status).toBe(409);
      expect((await fx.call('PATCH', path(id), { sequence: 3, action: 'update' })).status).toBe(409);
    },
  );

  test.each(['open', 'in_progress', 'blocked'])('a task that is %s cannot be reviewed', async (status) => {
    const { widget_id: id } = await fx.task();
    await set(id, 1, status);
    expect(await review(id, 'accepted')).toMatchObject({
      status: 409,
      body: { ok: false, error: 'only a completed execution task is reviewed' },
    });
  });

  test.each(['open', 'in_progress', 'blocked', 'completed'])(
    'a member can close a task that is %s',
    async (status) => {
      const { widget_id: id } = await fx.task();
      await set(id, 1, status);
      expect(await close(id)).toMatchObject({
        status: 200,
        body: { execution_task: { status: 'closed', sequence: 3, closed_at: TIME } },
      });
    },
  );

  test.each([undefined, null, '', 'closed', 'completed', 1])(
    'a decision of %j gets 400',
    async (decision) => {
      const { widget_id: id } = await fx.task();
      await set(id, 1, 'completed');
      expect((await review(id, decision)).status).toBe(400);
    },
  );

  test('non-members get 403 in private channels and can only read in public ones; 404 in other spaces', async () => {
    const outsider = await fx.space.person('admin', 'Olga');
    const foreign = await TasksFixture.of(api);
    const { widget_id: id } = await fx.task({ conversation_id: await fx.conversation({ scope: 'private' }) });
    const open = await fx.task({ conversation_id: await fx.conversation({ scope: 'public' }) });
    for (const call of [
      fx.asPerson('GET', path(id), undefined, outsider),
      review(id, 'accepted', outsider),
      close(id, outsider),
      close(open.widget_id, outsider),
    ]) {
      expect((await call).status).toBe(403);
    }
    expect((await fx.asPerson('GET', path(open.widget_id), undefined, outsider)).status).toBe(200);
    for (const call of [
      fx.asPerson('GET', path(id), undefined, foreign.person),
      review(id, 'accepted', foreign.person),
      close(id, foreign.person),
      close(UNKNOWN),
    ]) {
      expect((await call).status).toBe(404);
    }
    expect((await close('x')).status).toBe(400);
    expect((await fx.call('GET', path(id))).body.execution_task).toMatchObject({
      status: 'open',
      sequence: 1,
    });
  });

  test('every change sends the current task to the channel’s streams', async () => {
    const { widget_id: id } = await fx.task();
    await set(id, 1, 'completed');
    const { body } = await review(id, 'rejected');
    const told = await fx.streamed();
    expect(told.map(({ execution_task: task }) => [task.status, task.sequence])).toEqual([
      ['open', 1],
      ['completed', 2],
      ['rejected', 3],
    ]);
    expect(told.at(-1)).toEqual({
      event: 'execution_task.updated',
      conversation_id: fx.channel,
      execution_task: body.execution_task,
    });
  });
});

describe('others', () => {
  test('another bot of the space gets 403, of another space 404', async () => {
    const { widget_id: id } = await fx.task();
    const near = { token: fx.newBot().token };
    const far = { token: (await TasksFixture.of(api)).bot.token };
    for (const [method, verb, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { sequence: 1 }],
      ['POST', '/cancel', undefined],
    ] as const) {
      expect((await fx.call(method, path(id, verb), body, near)).status).toBe(403);
      expect((await fx.call(method, path(id, verb), body, far)).status).toBe(404);
      expect((await fx.call(method, path(UNKNOWN, verb), body)).status).toBe(404);
      expect((await fx.call(method, path('not-a-uuid', verb), body)).status).toBe(400);
    }
  });

  test('the capability’s token cannot create tasks or use people’s endpoints', async () => {
    const { body } = await fx.call('POST', '/execution_tasks', {
      conversation_id: fx.channel,
      idempotency_key: 'k',
    });
    const { token } = body.runtime_capability;
    const id = body.execution_task.widget_id;
    expect(await fx.call('POST', '/execution_tasks', { sequence: 1 }, { token })).toMatchObject({
      status: 401,
      body: { ok: false, error: 'invalid or revoked token' },
    });
    for (const [method, at] of [
      ['GET', path(id)],
      ['POST', path(id, '/review')],
      ['POST', path(id, '/close')],
    ] as const) {
      expect(
        (
          await api.call(method, `/api/v1/client${at}`, {
            token,
            body: method === 'GET' ? undefined : { decision: 'accepted' },
          })
        ).status,
      ).toBe(401);
    }
  });

  test('a task survives a new token of the bot', async () => {
    const { widget_id: id } = await fx.task({ idempotency_key: 'same' });
    fx.bot = fx.regenerate(fx.bot);
    expect((await fx.task({ idempotency_key: 'same' })).widget_id).toBe(id);
  });
});

describe('rates', () => {
  let slow: TestApi;
  beforeAll(async () => {
    slow = await startTasksApi({ RATE_TASK_WRITES_PER_SECOND: '2' });
  });
  afterAll(() => slow?.close());

  test('writes are limited per bot and second; reads and refused writes do not count', async () => {
    const fixture = await TasksFixture.of(slow);
    const { widget_id: id } = await fixture.task();
    for (const [method, body] of [
      ['PATCH', { sequence: 99 }],
      ['GET', undefined],
    ] as const) {
      for (let n = 0; n < 6; n++)
        expect((await fixture.call(method, path(id), body)).status).toBe(method === 'GET' ? 200 : 409);
    }
  });

  test('over the limit requests get 429 with Retry-After, but a repeated creation its result', async () => {
    await withinOneWindow(slow, async () => {
      const fixture = await TasksFixture.of(slow);
      const create = (idempotency_key: string): Promise<TestAnswer> =>
        fixture.call('POST', '/execution_tasks', { conversation_id: fixture.channel, idempotency_key });
      const keys = Array.from({ length: 8 }, () => uuidv7());
      const responses = await Promise.all(keys.map(create));
      const limited = responses.filter(({ status }) => status === 429);
      expect(limited).toHaveLength(6);
      expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      const made = keys.filter((_, n) => responses[n]?.status === 200);
      const [repeat, another] = await Promise.all([create(made[0] as string), create(uuidv7())]);
      expect([repeat.status, another.status]).toEqual([200, 429]);
    });
  });

  test.each<[string, Record<string, string>]>([
    ['RATE_TASK_WRITES_PER_SECOND', { RATE_TASK_WRITES_PER_SECOND: '3' }],
    ['RATE_BOT_WRITES_PER_SECOND', { RATE_BOT_WRITES_PER_SECOND: '3' }],
  ])('%s holds for creates, changes and cancels together', async (_, env) => {
    const limited = await startTasksApi(env);
    try {
      await withinOneWindow(limited, async () => {
        const fixture = await TasksFixture.of(limited);
        const { widget_id: id } = await fixture.task();
        const change = (sequence: number): Promise<TestAnswer> =>
          fixture.call('PATCH', path(id), { sequence, idempotency_key: `k${sequence}` });
        const first = [await change(1), await change(1), await change(2)];
        const more = await Promise.all([
          change(3),
          fixture.call('POST', path(id, '/cancel')),
          fixture.call('POST', '/execution_tasks', {
            conversation_id: fixture.channel,
            idempotency_key: uuidv7(),
          }),
        ]);
        // Repeats use no rate and are answered even when the rate is used up.
        expect([...first, ...more].map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429]);
        expect((await change(2)).status).toBe(200);
        expect((await fixture.call('GET', path(id))).status).toBe(200);
      });
    } finally {
      await limited.close();
    }
  });
});

describe('the tasks of a conversation', () => {
  const list = (id: string, query = '', person = fx.person): Promise<TestAnswer> =>
    fx.asPerson('GET', `/conversations/${id}/execution_tasks${query}`, undefined, person);
  const ids = ({ body }: TestAnswer): string[] =>
    body.execution_tasks.map(({ widget_id: id }: { widget_id: string }) => id);

  test('are sorted newest first, include their thread, and can be filtered by finished or not', async () => {
    const root = await fx.say();
    const old = await fx.task({ title: 'Old', parent_message_id: root });
    await close(old.widget_id);
    const task = await fx.task({ title: 'New', parent_message_id: root });
    const other = await fx.task({ conversation_id: await fx.conversation() });
    expect((await list(fx.channel)).body.execution_tasks).toMatchObject([
      { ...task, thread_id: root },
      { widget_id: old.widget_id, status: 'closed', thread_id: root },
    ]);
    expect(ids(await list(fx.channel, '?active=true'))).toEqual([task.widget_id]);
    expect(ids(await list(fx.channel, '?active=false'))).toEqual([old.widget_id]);
    expect(ids(await list(fx.channel))).not.toContain(other.widget_id);
  });

  test('of a thread exclude others', async () => {
    const [root, beside] = [await fx.say(), await fx.say('another')];
    const task = await fx.task({ parent_message_id: root });
    await fx.task({ parent_message_id: beside });
    const reply = await fx.chat.post(fx.channel, { id: fx.person.id, type: 'user' }, 'so?', {
      parentMessageId: root,
    });
    expect(ids(await list(reply.conversationId))).toEqual([task.widget_id]);
    expect(ids(await list(fx.channel, `?thread_id=${root}`))).toEqual([task.widget_id]);
    expect(ids(await list(fx.channel, `?thread_id=${UNKNOWN}`))).toEqual([]);
  });

  test('are paginated', async () => {
    const made = [];
    for (let n = 0; n < 3; n += 1) made.unshift((await fx.task({ title: `${n}` })).widget_id);
    const first = await list(fx.channel, '?limit=2');
    expect(ids(first)).toEqual(made.slice(0, 2));
    const rest = await list(fx.channel, `?limit=2&cursor=${first.body.next_cursor}`);
    expect([ids(rest), rest.body.next_cursor]).toEqual([made.slice(2), '']);
  });

  test('need read access to the conversation', async () => {
    const hidden = await fx.conversation({ scope: 'private' });
    const bea = await fx.space.person('member', 'Bea');
    expect((await list(hidden, '', bea)).status).toBe(403);
    expect((await list(fx.channel, '', bea)).status).toBe(200);
    expect((await list(UNKNOWN)).status).toBe(404);
    for (const query of ['?active=maybe', '?cursor=x', '?limit=201', '?thread_id=x'])
      expect((await list(fx.channel, query)).status).toBe(400);
  });
});

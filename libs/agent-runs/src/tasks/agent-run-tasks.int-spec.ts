import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { ExpireAgentRuns } from '../endings/expire-agent-runs.js';
import { FinishAgentRun } from '../endings/finish-agent-run.js';
import { RunsFixture, startRunsApi } from '../testing/index.js';

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

const taskNow = async (id: string): Promise<TestAnswer['body']> =>
  (await fx.tasks.call('GET', `/execution_tasks/${id}`)).body.execution_task;

describe('a run that names a task', () => {
  test('appears in the task, and shows the task in its object and envelope', async () => {
    const task = await fx.tasks.task();
    const run = await fx.run({ widget_id: task.widget_id.toUpperCase() });
    expect(run.widget_id).toBe(task.widget_id);
    expect(JSON.parse(run.bot_metadata_json).agent_run.widget_id).toBe(task.widget_id);
    expect(await taskNow(task.widget_id)).toMatchObject({
      agent_run_id: run.id,
      status: 'open',
      sequence: 1,
    });
  });

  test("is refused without changes if the task is unknown, elsewhere, another bot's, terminal or taken", async () => {
    const made = async (widget_id: string): Promise<number> => (await fx.create({ widget_id })).status;
    const [taken, over] = [await fx.tasks.task(), await fx.tasks.task()];
    await fx.run({ widget_id: taken.widget_id });
    await fx.tasks.call('POST', `/execution_tasks/${over.widget_id}/cancel`);
    const elsewhere = await fx.tasks.task({ conversation_id: await fx.tasks.conversation() });
    const before = await fx.placeholders();
    expect([
      await made(UNKNOWN),
      await made(elsewhere.widget_id),
      await made(over.widget_id),
      await made(taken.widget_id),
    ]).toEqual([404, 404, 409, 409]);
    const own = fx.tasks.bot;
    fx.tasks.bot = fx.tasks.newBot();
    const foreign = await fx.tasks.task({ conversation_id: await fx.tasks.conversation() });
    fx.tasks.bot = own;
    expect(await made(foreign.widget_id)).toBe(403);
    expect((await fx.placeholders()).filter(({ metadata_json }) => metadata_json !== null)).toEqual(
      before.filter(({ metadata_json }) => metadata_json !== null),
    );
    expect(
      await api.db.query('SELECT 1 FROM agent_runs WHERE space_id = $1', [fx.tasks.space.spaceId]),
    ).toHaveLength(1);
  });

  test('one of two concurrent runs gets the task', async () => {
    const { widget_id } = await fx.tasks.task();
    const responses = await Promise.all(Array.from({ length: 6 }, () => fx.create({ widget_id })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test.each([
    ['completed', 'completed'],
    ['failed', 'blocked'],
    ['cancelled', 'cancelled'],
    ['expired', 'blocked'],
  ])('%s makes it %s', async (status, expected) => {
    const { widget_id } = await fx.tasks.task();
    const run = await fx.run({ widget_id });
    await fx.patch(run.id, { status: 'using_tool', sequence: 2, public_text: 'working' });
    expect(await taskNow(widget_id)).toMatchObject({ status: 'open', sequence: 1, public_text: '' });
    await fx.patch(run.id, { status, sequence: 3, public_text: 'the end', error_code: 'E_1' });
    expect(await taskNow(widget_id)).toMatchObject({
      status: expected,
      sequence: 2,
      public_text: 'the end',
      error_code: 'E_1',
      agent_run_id: run.id,
    });
    // A repeat does not end it twice.
    await fx.patch(run.id, { status, sequence: 3, public_text: 'the end', error_code: 'E_1' });
    expect((await taskNow(widget_id)).sequence).toBe(2);
  });

  test('a cancel or expiry ends it too, and the task can get another run', async () => {
    const [one, two] = [await fx.tasks.task(), await fx.tasks.task()];
    const [cancelled, forgotten] = [
      await fx.run({ widget_id: one.widget_id }),
      await fx.run({ widget_id: two.widget_id }),
    ];
    await fx.cancel(cancelled.id);
    await api.db.query(
      `UPDATE agent_runs SET updated_at = clock_timestamp() - interval '1 hour' WHERE id = $1`,
      [forgotten.id],
    );
    expect(await new ExpireAgentRuns(api.db, api.app.get(FinishAgentRun)).run(60)).toEqual([]);
    expect([(await taskNow(one.widget_id)).status, (await taskNow(two.widget_id)).status]).toEqual([
      'cancelled',
      'blocked',
    ]);
    expect((await fx.create({ widget_id: two.widget_id })).status).toBe(200);
  });

  test('a task that ended before stays unchanged', async () => {
    const { widget_id } = await fx.tasks.task();
    const run = await fx.run({ widget_id });
    await fx.tasks.call('POST', `/execution_tasks/${widget_id}/cancel`);
    expect((await fx.patch(run.id, { status: 'completed', sequence: 2, public_text: 'done' })).status).toBe(
      200,
    );
    expect(await taskNow(widget_id)).toMatchObject({ status: 'cancelled', sequence: 2, public_text: '' });
  });
});

describe('a task that names a run', () => {
  const name = (agent_run_id: string, more: Record<string, unknown> = {}): Promise<TestAnswer> =>
    fx.tasks.call('POST', '/execution_tasks', {
      conversation_id: fx.tasks.channel,
      idempotency_key: crypto.randomUUID(),
      agent_run_id,
      ...more,
    });

  test('is linked to it: the run shows the task, its next edit too, and its end ends the task', async () => {
    const run = await fx.run();
    const { widget_id } = (await name(run.id)).body.execution_task;
    expect((await fx.get(run.id)).body.agent_run).toMatchObject({ widget_id, sequence: 1 });
    await fx.patch(run.id, { status: 'completed', sequence: 2, public_text: 'done' });
    expect((await fx.edits(run.message_id)).at(-1)?.envelope.agent_run.widget_id).toBe(widget_id);
    expect(await taskNow(widget_id)).toMatchObject({
      status: 'completed',
      sequence: 2,
      agent_run_id: run.id,
    });
  });

  test("404 for another bot's or conversation's run, 409 for a finished or linked one", async () => {
    const [over, linked, elsewhere] = [await fx.run(), await fx.run(), await fx.tasks.conversation()];
    await fx.cancel(over.id);
    await name(linked.id);
    const far = await fx.run({
      conversation_id: elsewhere,
      trigger_message_id: await fx.tasks.say('hi', elsewhere),
    });
    const statuses = [];
    for (const id of [UNKNOWN, far.id, over.id, linked.id]) statuses.push((await name(id)).status);
    fx.tasks.bot = fx.tasks.newBot();
    statuses.push(
      (
        await name((await fx.get(linked.id)).body.agent_run?.id ?? linked.id, {
          conversation_id: await fx.tasks.conversation(),
        })
      ).status,
    );
    expect(statuses).toEqual([404, 404, 409, 409, 404]);
  });
});

import { Global, Module } from '@nestjs/common';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { conflict, notFound } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import type { RunEnd } from '../states/execution-task.states.js';
import { endRun } from './end-run.js';
import type { EndedRun } from './end-run.js';
import { linkRun } from './link-run.js';
import { TaskRuns } from './task-runs.js';
import type { RunLink } from './task-runs.js';
import { startTasksApi, TasksFixture } from '../testing/index.js';
import type { TestBot } from '../testing/index.js';

const FILE = { file_id: uuidv7(), file_name: 'report.pdf', mime_type: 'application/pdf', file_size: 48213 };
const TERMINAL = ['accepted', 'rejected', 'cancelled', 'closed'];

let api: TestApi;
let fx: TasksFixture;

/** Requests to {@link KnownRuns}, and its runs by id: the channel and whether the run is over. */
let asked: { bot: string; link: RunLink }[] = [];
const runs = new Map<string, { channel: string; over?: true }>();

/** Replaces the lib of runs, which this lib cannot import. */
class KnownRuns extends TaskRuns {
  override async link(_tx: Tx, bot: BotPrincipal, link: RunLink): Promise<void> {
    asked.push({ bot: bot.botId, link });
    const run = runs.get(link.runId);
    if (run?.channel !== link.channelId) throw notFound('run_not_found', 'agent run not found');
    if (run.over) throw conflict('run_finished', 'agent run is finished');
  }
}

@Global()
@Module({ providers: [{ provide: TaskRuns, useClass: KnownRuns }], exports: [TaskRuns] })
class KnownRunsModule {}

beforeAll(async () => {
  api = await startTasksApi({}, [KnownRunsModule]);
});
beforeEach(async () => {
  fx = await TasksFixture.of(api);
  asked = [];
});
afterAll(() => api?.close());

const link = (
  widgetId: string,
  runId = uuidv7(),
  { bot = fx.bot, channelId = fx.channel }: { bot?: TestBot; channelId?: string } = {},
): Promise<void> =>
  runInWorkerTx(api.db, (tx) =>
    linkRun(
      tx,
      { kind: 'bot', botId: bot.id, spaceId: bot.spaceId, channelIds: [], scopes: 'all' },
      { widgetId, runId, channelId },
    ),
  );
const end = (widgetId: string, how: RunEnd, more: Partial<EndedRun> = {}): Promise<void> =>
  runInWorkerTx(api.db, (tx) =>
    endRun(tx, {
      spaceId: fx.space.spaceId,
      widgetId,
      end: how,
      publicText: '',
      errorCode: '',
      artifacts: [],
      ...more,
    }),
  );
const task = async (id: string): Promise<Record<string, unknown>> =>
  (await fx.call('GET', `/execution_tasks/${id}`)).body.execution_task;
const told = async (): Promise<number> => (await fx.streamed()).length;

describe('a new run', () => {
  test('appears in its task, which otherwise stays unchanged', async () => {
    const made = await fx.task();
    const runId = uuidv7();
    await link(made.widget_id, runId);
    expect(await task(made.widget_id)).toEqual({ ...made, agent_run_id: runId });
  });

  test('blocks the task for other runs until it ends', async () => {
    const { widget_id: id } = await fx.task();
    await link(id);
    await expect(link(id)).rejects.toMatchObject({ status: 409 });
    await fx.call('PATCH', `/execution_tasks/${id}`, { sequence: 1, status: 'in_progress' });
    await expect(link(id)).rejects.toMatchObject({ status: 409 });
    await end(id, 'failed');
    const second = uuidv7();
    await link(id, second);
    expect((await task(id)).agent_run_id).toBe(second);
  });

  test('gets the task if it is the first of several concurrent ones', async () => {
    const { widget_id: id } = await fx.task();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => link(id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('cannot get a task of another bot (403), another conversation or space (404), or a finished one (409)', async () => {
    const { widget_id: id } = await fx.task();
    const foreign = await TasksFixture.of(api);
    await expect(link(id, uuidv7(), { bot: fx.newBot() })).rejects.toMatchObject({ status: 403 });
    await expect(link(id, uuidv7(), { channelId: await fx.conversation() })).rejects.toMatchObject({
      status: 404,
    });
    await expect(link(id, uuidv7(), { bot: foreign.bot })).rejects.toMatchObject({ status: 404 });
    await expect(link(uuidv7())).rejects.toMatchObject({ status: 404 });
    await fx.call('POST', `/execution_tasks/${id}/cancel`);
    await expect(link(id)).rejects.toMatchObject({ status: 409 });
    expect(await task(id)).not.toHaveProperty('agent_run_id');
  });
});

describe('the end of a run', () => {
  test.each([
    ['completed', 'completed'],
    ['failed', 'blocked'],
    ['cancelled', 'cancelled'],
    ['expired', 'blocked'],
  ] as const)('%s: its task is %s, the sequence one higher, and streams are told', async (how, status) => {
    const { widget_id: id } = await fx.task();
    await link(id);
    const before = await told();
    await end(id, how);
    expect(await task(id)).toMatchObject({
      status,
      sequence: 2,
      closed_at: status === 'cancelled' ? expect.any(String) : null,
    });
    expect(await told()).toBe(before + 1);
  });

  test('stores its text, error code and files in the task, and later runs add files', async () => {
    const { widget_id: id } = await fx.task();
    await link(id);
    await end(id, 'failed', { publicText: 'It broke', errorCode: 'upstream' });
    expect(await task(id)).toMatchObject({
      status: 'blocked',
      public_text: 'It broke',
      error_code: 'upstream',
      artifacts: [],
    });
    await link(id);
    await end(id, 'completed', { artifacts: [FILE] });
    expect(await task(id)).toMatchObject({
      status: 'completed',
      public_text: 'It broke',
      error_code: '',
      artifacts: [FILE],
      sequence: 3,
    });
    await link(id);
    await end(id, 'completed', { artifacts: [{ ...FILE, file_name: 'second.pdf' }] });
    const { artifacts } = (await task(id)) as { artifacts: object[] };
    expect(artifacts).toEqual([FILE, { ...FILE, file_name: 'second.pdf' }]);
    expect(Object.keys(artifacts[0] ?? {})).toEqual(['file_id', 'file_name', 'mime_type', 'file_size']);
  });

  test('an error code stays while the task is blocked and is removed by the next status', async () => {
    const { widget_id: id } = await fx.task();
    await link(id);
    await end(id, 'failed', { errorCode: 'upstream' });
    await fx.call('PATCH', `/execution_tasks/${id}`, { sequence: 2, public_text: 'Waiting' });
    expect((await task(id)).error_code).toBe('upstream');
    await fx.call('PATCH', `/execution_tasks/${id}`, { sequence: 3, status: 'in_progress' });
    expect((await task(id)).error_code).toBe('');
  });

  test.each(TERMINAL)('leaves a task that is %s unchanged', async (status) => {
    const { widget_id: id } = await fx.task();
    await link(id);
    await api.db.query(
      'UPDATE execution_tasks SET status = $2, closed_at = clock_timestamp() WHERE id = $1',
      [id, status],
    );
    const before = [await task(id), await told()];
    await end(id, 'completed', { publicText: 'late', artifacts: [FILE] });
    expect([await task(id), await told()]).toEqual(before);
  });

  test('makes the sequence known to the bot stale', async () => {
    const { widget_id: id } = await fx.task();
    await link(id);
    await end(id, 'completed');
    expect((await fx.call('PATCH', `/execution_tasks/${id}`, { sequence: 1, status: 'open' })).status).toBe(
      409,
    );
  });
});

test('the api does not start without an implementation of TaskRuns', async () => {
  // On PostgreSQL, because an api that fails to start leaves its Redis connection open.
  await expect(startTasksApi({ REDIS_URL: '' }, [])).rejects.toThrow(
    /can't resolve dependencies of the CreateExecutionTask.*TaskRuns/,
  );
});

describe('a task that names a run', () => {
  test('requests it from the runs lib and is linked to it', async () => {
    const runId = uuidv7();
    runs.set(runId, { channel: fx.channel });
    const made = await fx.task({ agent_run_id: runId.toUpperCase() });
    expect(made).toMatchObject({ agent_run_id: runId, status: 'open', sequence: 1 });
    expect(asked).toEqual([
      { bot: fx.bot.id, link: { widgetId: made.widget_id, runId, channelId: fx.channel } },
    ]);
    await expect(link(made.widget_id)).rejects.toMatchObject({ status: 409 });
    await end(made.widget_id, 'completed');
    expect((await task(made.widget_id)).status).toBe('completed');
  });

  test('is linked by channel even if the bot names a thread', async () => {
    const reply = await fx.chat.post(fx.channel, { id: fx.person.id, type: 'user' }, 'and this', {
      parentMessageId: await fx.say(),
    });
    const runId = uuidv7();
    runs.set(runId, { channel: fx.channel });
    expect((await fx.task({ conversation_id: reply.conversationId, agent_run_id: runId })).agent_run_id).toBe(
      runId,
    );
  });

  test('is not created if the run is unknown or ended; no anchor stays, and the key is free', async () => {
    const [over, elsewhere] = [uuidv7(), uuidv7()];
    runs.set(over, { channel: fx.channel, over: true }).set(elsewhere, { channel: await fx.conversation() });
    for (const [agent_run_id, status] of [
      [over, 409],
      [elsewhere, 404],
      [uuidv7(), 404],
    ] as const) {
      expect(
        (
          await fx.call('POST', '/execution_tasks', {
            conversation_id: fx.channel,
            idempotency_key: 'k',
            agent_run_id,
          })
        ).status,
      ).toBe(status);
    }
    expect(await api.db.query('SELECT 1 FROM messages WHERE space_id = $1', [fx.space.spaceId])).toEqual([]);
    expect((await fx.task({ idempotency_key: 'k' })).sequence).toBe(1);
  });

  test('a repeat does not request it again', async () => {
    const runId = uuidv7();
    runs.set(runId, { channel: fx.channel });
    const body = { idempotency_key: 'k', agent_run_id: runId };
    expect((await fx.task(body)).widget_id).toBe((await fx.task(body)).widget_id);
    expect(asked).toHaveLength(1);
  });
});

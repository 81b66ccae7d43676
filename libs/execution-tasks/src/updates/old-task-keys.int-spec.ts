import { Queue } from '@tieline/queue';
import { eventually } from '@tieline/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { ExecutionTasksWorkerModule } from '../execution-tasks.module.js';
import { NoRunsModule } from '../testing/no-runs.module.js';
import { startTasksApi, TasksFixture } from '../testing/index.js';
import { OLD_TASK_KEYS } from './old-task-keys.processor.js';

let api: TestApi;
let fx: TasksFixture;

beforeAll(async () => {
  api = await startTasksApi({}, [NoRunsModule, ExecutionTasksWorkerModule]);
  fx = await TasksFixture.of(api);
});
afterAll(() => api?.close());

const change = (id: string, sequence: number): Promise<TestAnswer> =>
  fx.call('PATCH', `/execution_tasks/${id}`, {
    action: 'update',
    sequence,
    public_text: `step ${sequence}`,
    idempotency_key: `k${sequence}`,
  });

/** Ages an accepted update by this many days. */
const age = (key: string, days: number): Promise<unknown> =>
  api.db.query(
    `UPDATE execution_task_updates SET created_at = now() - $2 * interval '1 day' WHERE idempotency_key = $1`,
    [key, days],
  );

test('keys of accepted changes are deleted after their retention, and a later repeat changes nothing', async () => {
  const { widget_id } = await fx.task();
  for (const sequence of [1, 2]) expect((await change(widget_id, sequence)).status).toBe(200);
  await age('k1', 30.1);
  await age('k2', 29.9);
  await api.db.query(
    `INSERT INTO execution_task_updates SELECT space_id, id, 'old:' || n, '', now() - interval '31 days' FROM execution_tasks, generate_series(1, 5001) n`,
  );
  await eventually(() => api.app.get(Queue).wake(OLD_TASK_KEYS));
  await eventually(async () =>
    expect(await api.db.query('SELECT idempotency_key FROM execution_task_updates')).toEqual([
      { idempotency_key: 'k2' },
    ]),
  );

  const responses = [await change(widget_id, 1), await change(widget_id, 2)];
  expect(responses.map(({ status }) => status)).toEqual([409, 200]);
  expect(responses[1]?.body.execution_task).toMatchObject({ sequence: 3, public_text: 'step 2' });
});

import { FilesWorkerModule } from '@tieline/files';
import { TestStorage } from '@tieline/files/testing';
import { BusModule } from '@tieline/live';
import { runInWorkerTx } from '@tieline/platform/database';
import { DeliveryModule } from '@tieline/delivery';
import { EgressModule } from '@tieline/egress';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { StorageWorkerModule } from '@tieline/storage';
import { eventually } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { AgentRunsWorkerModule } from '../agent-runs-worker.module.js';
import { ExpireAgentRuns } from './expire-agent-runs.js';
import { FinishAgentRun } from './finish-agent-run.js';
import { Placeholders } from '../placeholders/placeholder.js';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const TIMEOUT_SECONDS = 600;

/** A worker without the relay, so that the tests can inspect the outbox. */
const WORKER = [
  BusModule,
  QueueModule,
  QueueWorkerModule,
  StorageWorkerModule,
  EgressModule,
  DeliveryModule,
  FilesWorkerModule,
  AgentRunsWorkerModule,
];

let api: TestApi;
let fx: RunsFixture;

beforeAll(async () => {
  api = await startRunsApi();
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});
afterAll(() => api?.close());

/** Ages the run beyond the timeout. */
const age = (id: string): Promise<unknown> =>
  api.db.query(
    `UPDATE agent_runs SET updated_at = clock_timestamp() - ($2::int + 1) * interval '1 second' WHERE id = $1`,
    [id, TIMEOUT_SECONDS],
  );
const expiry = (): ExpireAgentRuns => new ExpireAgentRuns(api.db, api.app.get(FinishAgentRun));
const expire = (): Promise<unknown[]> => expiry().run(TIMEOUT_SECONDS);

describe('expiry', () => {
  test('ends an inactive run and updates its sequence, message and text', async () => {
    const [old, fresh, over] = [await fx.run({ content: 'Thinking…' }), await fx.run(), await fx.run()];
    await fx.patch(old.id, { status: 'waiting_tool', sequence: 5, error_code: 'SLOW' });
    await fx.patch(over.id, { status: 'failed', sequence: 2 });
    for (const { id } of [old, over]) await age(id);
    expect(await expire()).toEqual([]);
    const { agent_run: run } = (await fx.get(old.id)).body;
    expect(run).toMatchObject({
      status: 'expired',
      status_text: 'Остановлено по тайм-ауту',
      sequence: 6,
      is_terminal: true,
      error_code: 'SLOW',
      completed_at: expect.any(String),
    });
    expect((await fx.edits(old.message_id)).at(-1)).toMatchObject({
      text: 'Thinking…',
      envelope: { agent_run: { status: 'expired', sequence: 6 } },
    });
    expect([
      (await fx.get(fresh.id)).body.agent_run.status,
      (await fx.get(over.id)).body.agent_run.status,
    ]).toEqual(['accepted', 'failed']);
    expect((await fx.patch(old.id, { status: 'queued', sequence: 9 })).status).toBe(409);
    expect((await fx.cancel(old.id)).status).toBe(409);
  });

  test('concurrent workers end each run once, across several batches', async () => {
    const run = await fx.run();
    await age(run.id);
    // Copies of the row, each with its own message: faster than that many requests.
    await api.db.query(
      `INSERT INTO agent_runs (space_id, id, bot_id, idempotency_key, conversation_id, channel_id, trigger_message_id, message_id, content, updated_at)
       SELECT r.space_id, gen_random_uuid(), r.bot_id, 'k' || n, r.conversation_id, r.channel_id, r.trigger_message_id, r.message_id, '', r.updated_at FROM agent_runs r, generate_series(1, 220) n WHERE r.id = $1`,
      [run.id],
    );
    await Promise.all([expire(), expire()]);
    const rows = await api.db.query(
      'SELECT status, sequence::int, count(*) AS runs FROM agent_runs WHERE space_id = $1 GROUP BY 1, 2',
      [fx.tasks.space.spaceId],
    );
    expect(rows).toEqual([{ status: 'expired', sequence: 2, runs: 221 }]);
    expect(await fx.edits(run.message_id)).toHaveLength(221);
  });

  test('a run that cannot be ended does not block the others', async () => {
    const [broken, whole] = [await fx.run(), await fx.run()];
    await api.db.query('UPDATE agent_runs SET message_id = $2 WHERE id = $1', [broken.id, uuidv7()]);
    for (const { id } of [broken, whole]) await age(id);
    expect(await expire()).toHaveLength(1);
    expect([
      (await fx.get(broken.id)).body.agent_run.status,
      (await fx.get(whole.id)).body.agent_run.status,
    ]).toEqual(['accepted', 'expired']);
    await api.db.query('UPDATE agent_runs SET message_id = $2 WHERE id = $1', [broken.id, broken.message_id]);
    expect(await expire()).toEqual([]);
    expect((await fx.get(broken.id)).body.agent_run.status).toBe('expired');
  });

  test('skips runs that are being changed or have been changed since they were found', async () => {
    const { id } = await fx.run();
    const one = (): Promise<unknown> =>
      expiry().expire({ spaceId: fx.tasks.space.spaceId, id }, TIMEOUT_SECONDS);
    expect(await one()).toBeUndefined();
    await age(id);
    await runInWorkerTx(api.db, async (tx) => {
      await tx.query('SELECT 1 FROM agent_runs WHERE id = $1 FOR NO KEY UPDATE', [id]);
      expect(await one()).toBeUndefined();
    });
    expect(await one()).toMatchObject({ id, status: 'expired' });
    expect(await one()).toBeUndefined();
  });

  test('of an expiry and a concurrent change one wins, and the message shows it', async () => {
    for (let round = 0; round < 12; round += 1) {
      const run = await fx.run();
      await age(run.id);
      const [patched] = await Promise.all([fx.patch(run.id, { status: 'queued', sequence: 5 }), expire()]);
      const { status, sequence } = (await fx.get(run.id)).body.agent_run;
      expect([patched.status, status, sequence]).toEqual(
        patched.status === 200 ? [200, 'queued', 5] : [409, 'expired', 2],
      );
      await api.app.get(Placeholders).editOverdue();
      expect((await fx.edits(run.message_id)).map(({ envelope }) => envelope.agent_run.status)).toEqual([
        status,
      ]);
    }
  });
});

test('of concurrent changes, an end and a cancel there is one end, which is shown last', async () => {
  for (let round = 0; round < 8; round += 1) {
    const run = await fx.run();
    const responses = await Promise.all([
      fx.patch(run.id, { status: 'queued', sequence: 2 }),
      fx.cancel(run.id),
      fx.patch(run.id, { status: 'completed', sequence: 9, public_text: 'done' }),
      fx.patch(run.id, { status: 'using_tool', sequence: 3 }),
      fx.cancel(run.id),
    ]);
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const [, cancel, complete, , again] = responses.map(({ status }) => status);
    expect([cancel, complete, again].filter((status) => status === 200)).toHaveLength(1);
    const now = (await fx.get(run.id)).body.agent_run;
    expect(now.status).toBe(complete === 200 ? 'completed' : 'cancelled');
    await eventually(
      async () => (await fx.edits(run.message_id)).at(-1)?.envelope.agent_run.is_terminal === true,
    );
    const statuses = (await fx.edits(run.message_id)).map(({ envelope }) => envelope.agent_run);
    expect(statuses.filter(({ is_terminal }) => is_terminal)).toEqual([
      expect.objectContaining({ status: now.status, sequence: now.sequence }),
    ]);
  }
});

test('a worker ends runs after AGENT_RUN_TIMEOUT_SECONDS and makes overdue edits', async () => {
  const storage = await TestStorage.start();
  const working = await startRunsApi({ AGENT_RUN_TIMEOUT_SECONDS: '3600', ...storage.env }, WORKER);
  try {
    const own = await RunsFixture.of(working);
    const [run, kept] = [await own.run(), await own.run()];
    const statusOf = async ({ id }: { id: string }): Promise<string> =>
      (await own.get(id)).body.agent_run.status;
    const leftAlone = ({ id }: { id: string }, seconds: number): Promise<unknown> =>
      working.db.query(
        `UPDATE agent_runs SET updated_at = clock_timestamp() - $2::int * interval '1 second' WHERE id = $1`,
        [id, seconds],
      );
    await working.db.query(
      `UPDATE agent_runs SET status = 'queued', sequence = 2, edit_due_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [run.id],
    );
    await eventually(async () =>
      expect((await own.edits(run.message_id)).map(({ text }) => text)).toEqual(['В очереди']),
    );
    await leftAlone(kept, 1800);
    expect((await own.patch(kept.id, { status: 'queued', sequence: 2 })).status).toBe(200);
    await leftAlone(run, 3600);
    await eventually(async () => expect(await statusOf(run)).toBe('expired'));
    expect(await statusOf(kept)).toBe('queued');
    await leftAlone(kept, 3600);
    await eventually(async () => expect(await statusOf(kept)).toBe('expired'));
  } finally {
    await working.close();
    await storage.close();
  }
});

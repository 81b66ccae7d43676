import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import type { AgentRun } from '../agent-run.entity.js';
import { markEdited } from '../placeholders/placeholder.js';
import { RunsFixture, startRunsApi } from '../testing/index.js';
import { AppendToRuns } from './append-to-runs.js';

const RUNS = 12;
const PIECES = 15;

let api: TestApi;
let fx: RunsFixture;
beforeAll(async () => {
  api = await startRunsApi({
    RATE_AGENT_RUN_CREATE_PER_SECOND: '1000',
    RATE_BOT_WRITES_PER_SECOND: '1000',
  });
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});
afterAll(() => api?.close());

async function append(
  id: string,
  sequence: number,
  piece: string,
  status = 'finalizing',
): Promise<TestAnswer> {
  for (;;) {
    const answer = await fx.patch(id, { status, sequence, append: piece });
    // The rate limiter of a busy machine.
    if (answer.status !== 503) return answer;
  }
}
const stop = (id: string) => fx.tasks.asPerson('POST', `/agent_runs/${id}/stop`, undefined, fx.tasks.person);
const isDue = async (id: string): Promise<boolean> =>
  (await readRows(api.db, 'SELECT 1 FROM agent_runs WHERE id = $1 AND edit_due_at IS NOT NULL', [id]))
    .length > 0;
const waitingForLocks = async (): Promise<number> =>
  (
    await readRows(
      api.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length;
async function deadlocks(): Promise<number> {
  const sql = 'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()';
  return (await readRows<{ n: number }>(api.db, sql))[0]?.n ?? 0;
}

/** Holds the lock of the conversation of all runs while `work` runs. */
async function whileConversationIsLocked(
  work: (release: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const holder = await api.db.pool.connect();
  try {
    await holder.query('BEGIN');
    await mayIdle(holder);
    await holder.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [fx.tasks.channel]);
    await work(async () => void (await holder.query('COMMIT')));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

test('appends, stops, ends and refused updates of many runs at the same time: every accepted piece is in its run, in order', async () => {
  const runs: { id: string; message_id: string }[] = [];
  for (let n = 0; n < RUNS; n += 1) runs.push(await fx.run());
  const outcomes = await Promise.all(
    runs.map(async ({ id }, n) => {
      const accepted = ['start'];
      expect((await append(id, 2, 'start')).status).toBe(200);
      let isStopped = false;
      for (let piece = 0; piece < PIECES; piece += 1) {
        // Beside each piece: an old sequence, and one that is too long.
        const [answer, old, long] = await Promise.all([
          append(id, 10 * piece + 10, ` ${piece}`),
          append(id, 1, ' old'),
          append(id, 10 * piece + 11, 'x'.repeat(3999)),
          piece === 5 && n % 3 === 0 ? stop(id) : undefined,
          piece === 8 && n % 4 === 0 ? fx.cancel(id) : undefined,
        ]);
        expect(old.status).toBe(409);
        expect([400, 409]).toContain(long.status);
        if (answer.status === 200) accepted.push(` ${piece}`);
        else expect(n % 4 === 0 && piece >= 8 ? [409] : [429]).toContain(answer.status);
        if (answer.body.stop_requested) isStopped = true;
        else if (answer.status === 200) expect(isStopped).toBe(false);
      }
      return accepted.join('');
    }),
  );
  for (const [n, { id, message_id }] of runs.entries()) {
    const { agent_run: run, stop_requested } = (await fx.get(id)).body;
    expect([run.public_text, run.status, stop_requested]).toEqual([
      outcomes[n],
      n % 4 === 0 ? 'cancelled' : 'finalizing',
      n % 3 === 0 ? true : undefined,
    ]);
    await eventually(async () => expect(await isDue(id)).toBe(false));
    const shown = (await fx.placeholders()).find((message) => message.id === message_id);
    expect([shown?.text, shown?.metadata_json]).toEqual([run.public_text, run.bot_metadata_json]);
  }
});

test('while an edit waits for the conversation, further pieces and a stop do not wait', async () => {
  const run = await fx.run();
  await whileConversationIsLocked(async (release) => {
    let isEdited = false;
    const first = append(run.id, 2, 'one').finally(() => (isEdited = true));
    await eventually(async () => expect(await waitingForLocks()).toBe(1));
    expect((await append(run.id, 3, ' two')).status).toBe(200);
    expect((await stop(run.id)).status).toBe(200);
    expect((await append(run.id, 4, ' three')).body).toMatchObject({ stop_requested: true });
    expect(isEdited).toBe(false);
    await release();
    await first;
  });
  await eventually(async () => expect(await isDue(run.id)).toBe(false));
  expect((await fx.edits(run.message_id)).at(-1)).toMatchObject({
    text: 'one two three',
    envelope: { agent_run: { sequence: 4, stop_requested: true } },
  });
});

/** Appends to all runs at the same time, while the conversation is locked, and releases it. */
async function appendToAll(runs: { id: string }[]): Promise<void> {
  await whileConversationIsLocked(async (release) => {
    const [one, ...others] = runs.map(({ id }) => id) as [string, ...string[]];
    const first = append(one, 2, 'one');
    await eventually(async () => expect(await waitingForLocks()).toBe(1));
    const rest = await Promise.all(others.map((id) => append(id, 2, 'one')));
    expect(await waitingForLocks()).toBe(1);
    await release();
    for (const { status } of [await first, ...rest]) expect(status).toBe(200);
  });
}

test('edits that wait for their turn share a transaction', async () => {
  const runs: { id: string; message_id: string }[] = [];
  for (let n = 0; n < RUNS; n += 1) runs.push(await fx.run());
  await appendToAll(runs);
  for (const { id, message_id } of runs) {
    await eventually(async () => expect(await isDue(id)).toBe(false));
    expect((await fx.edits(message_id)).map(({ text }) => text)).toEqual(['one']);
  }
  const sql = `SELECT DISTINCT xmin::text FROM outbox WHERE space_id = $1 AND type = 'MESSAGE_UPDATED'`;
  expect((await readRows(api.db, sql, [fx.tasks.space.spaceId])).length).toBeLessThan(RUNS);
});

test('a placeholder that cannot be edited prevents no edit of another one', async () => {
  const runs: { id: string; message_id: string }[] = [];
  for (let n = 0; n < RUNS; n += 1) runs.push(await fx.run());
  const [broken, ...whole] = runs.toReversed() as [(typeof runs)[0], ...typeof runs];
  await api.db.query('UPDATE agent_runs SET message_id = gen_random_uuid() WHERE id = $1', [broken.id]);
  await appendToAll(runs);
  for (const { id, message_id } of whole) {
    await eventually(async () => expect(await isDue(id)).toBe(false));
    expect((await fx.edits(message_id)).map(({ text }) => text)).toEqual(['one']);
  }
  expect(await isDue(broken.id)).toBe(true);
});

test('an edit and the end of its run wait for the conversation without a deadlock, and the end is shown last', async () => {
  const run = await fx.run();
  const before = await deadlocks();
  await whileConversationIsLocked(async (release) => {
    const first = append(run.id, 2, 'half');
    await eventually(async () => expect(await waitingForLocks()).toBe(1));
    const end = append(run.id, 3, ' and whole', 'completed');
    await eventually(async () => expect(await waitingForLocks()).toBe(2));
    await release();
    expect((await Promise.all([first, end])).map(({ status }) => status)).toEqual([200, 200]);
  });
  expect((await fx.edits(run.message_id)).map(({ text }) => text).at(-1)).toBe('half and whole');
  expect(await isDue(run.id)).toBe(false);
  expect(await deadlocks()).toBe(before);
});

test('what comes while an edit is made is due again after the spacing, also a stop', async () => {
  const { id } = await fx.run();
  const { spaceId } = fx.tasks.space;
  const bot = { kind: 'bot', botId: fx.tasks.bot.id, spaceId, channelIds: [], scopes: 'all' } as const;
  const appends = new AppendToRuns(api.db);
  const add = (sequence: bigint) =>
    appends.run({ bot, runId: id, status: 'finalizing', sequence, append: 'x', errorCode: '' });
  const edited = (await add(2n))?.run as AgentRun;
  const now = (await add(3n))?.run as AgentRun;
  expect((await markEdited(api.db, [edited])).get(id)).toBeGreaterThan(200);
  expect(await isDue(id)).toBe(true);
  await api.db.query('UPDATE agent_runs SET stop_requested_at = now() WHERE id = $1', [id]);
  expect((await markEdited(api.db, [now])).get(id)).toBeLessThanOrEqual(200);
  expect(await isDue(id)).toBe(true);
  const shown = [{ ...now, stopRequestedAt: new Date() }];
  expect(await markEdited(api.db, shown)).toEqual(new Map([[id, null]]));
  expect(await isDue(id)).toBe(false);
  expect(await markEdited(api.db, [now])).toEqual(new Map());
});

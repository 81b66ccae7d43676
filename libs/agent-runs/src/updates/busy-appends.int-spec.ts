import { eventually, mayIdle, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const RUNS = 10;
/** Conversations in which an append may wait for an edit, one each. */
const EDITING = 4;
/** A third of the pool below. */
const CALLER_CONNECTIONS = 13;

let api: TestApi;
let fx: RunsFixture;
beforeAll(async () => {
  api = await startRunsApi({
    DATABASE_POOL_MAX: '40',
    RATE_AGENT_RUN_CREATE_PER_SECOND: '1000',
    RATE_BOT_WRITES_PER_SECOND: '1000',
  });
});
afterAll(() => api?.close());

test('while an edit takes long, no further append of its conversation and none of another one waits for it', async () => {
  fx = await RunsFixture.of(api);
  const other = await RunsFixture.of(api);
  const { id: elsewhere } = await other.run();
  const runs: { id: string; message_id: string; conversation_id: string }[] = [];
  for (let n = 0; n < RUNS; n += 1) runs.push(await fx.run());
  const holder = await api.db.pool.connect();
  await holder.query('BEGIN');
  await mayIdle(holder);
  const lock = 'SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE';
  await holder.query(lock, [runs[0]?.conversation_id]);
  let answered = 0;
  const appends = runs.map(async ({ id }, n) => {
    const { status } = await fx.patch(id, { status: 'finalizing', sequence: 2, append: `piece ${n}` });
    answered += 1;
    return status;
  });
  try {
    await eventually(() => answered >= RUNS - 1);
    await other.patch(elsewhere, { status: 'finalizing', sequence: 2, append: 'shown' });
    expect((await other.placeholders())[0]?.text).toBe('shown');
    expect(answered).toBe(RUNS - 1);
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
  expect(new Set(await Promise.all(appends))).toEqual(new Set([200]));
  await eventually(async () => {
    const due = 'SELECT 1 FROM agent_runs WHERE edit_due_at IS NOT NULL';
    expect(await readRows(api.db, due)).toEqual([]);
  });
  const texts = (await fx.placeholders()).map(({ text }) => text);
  expect(new Set(texts)).toEqual(new Set(runs.map((_, n) => `piece ${n}`)));
});

test('an append is shown although an edit of its run, by then done, waits for its turn', async () => {
  const other = await RunsFixture.of(api);
  const { id } = await other.run();
  const blocked: { fx: RunsFixture; run: { id: string; conversation_id: string } }[] = [];
  for (let n = 0; n < EDITING; n += 1) {
    const one = await RunsFixture.of(api);
    blocked.push({ fx: one, run: await one.run() });
  }
  const update = (body: object) => other.patch(id, { status: 'finalizing', ...body });
  const shown = async () => (await other.placeholders())[0]?.text;
  const holder = await api.db.pool.connect();
  await holder.query('BEGIN');
  await mayIdle(holder);
  await holder.query('SELECT 1 FROM conversations WHERE id = ANY ($1) FOR UPDATE', [
    blocked.map(({ run }) => run.conversation_id),
  ]);
  const appends = blocked.map((one) =>
    one.fx.patch(one.run.id, { status: 'finalizing', sequence: 2, append: 'a' }),
  );
  try {
    await eventually(async () => expect(await waitingForLocks()).toBe(EDITING));
    await update({ sequence: 2, append: 'one' });
    await update({ sequence: 3, public_text: 'one two' });
    expect(await shown()).toBe('one two');
    await update({ sequence: 4, append: ' three' });
    await holder.query('COMMIT');
    await eventually(async () => expect(await shown()).toBe('one two three'));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  await Promise.all(appends);
});

test('a stop does not wait for the updates of the bot that wait for a connection', async () => {
  fx = await RunsFixture.of(api);
  const runs: { id: string; conversation_id: string }[] = [];
  for (let n = 0; n < 3 * CALLER_CONNECTIONS; n += 1) runs.push(await fx.run());
  const stopped = await fx.run();
  const holder = await api.db.pool.connect();
  await holder.query('BEGIN');
  await mayIdle(holder);
  await holder.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [stopped.conversation_id]);
  const end = { status: 'completed', sequence: 2, public_text: 'Done' };
  let ended = 0;
  const ends = runs.map(({ id }) => fx.patch(id, end).finally(() => (ended += 1)));
  try {
    await eventually(async () => expect(await waitingForLocks()).toBe(CALLER_CONNECTIONS));
    for (const sequence of [2, 3, 4]) ends.push(fx.patch(stopped.id, { status: 'queued', sequence }));
    const stop = fx.tasks.asPerson('POST', `/agent_runs/${stopped.id}/stop`, undefined, fx.tasks.person);
    expect(await stop).toMatchObject({ status: 200 });
    expect(ended).toBe(0);
    expect(await fx.tasks.events('bot.direct_event')).toHaveLength(1);
    expect(await waitingForLocks()).toBeGreaterThanOrEqual(CALLER_CONNECTIONS);
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
  expect((await Promise.all(ends.slice(0, runs.length))).map(({ status }) => status)).toEqual(
    runs.map(() => 200),
  );
});

async function waitingForLocks(): Promise<number> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await readRows(api.db, sql)).length;
}

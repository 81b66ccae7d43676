import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const RUNS = 10;
/** Appends that may wait for an edit. */
const EDITING = 4;

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

test('while edits take long, further appends do not wait for theirs, and all are shown later', async () => {
  fx = await RunsFixture.of(api);
  const runs: { id: string; message_id: string; conversation_id: string }[] = [];
  for (let n = 0; n < RUNS; n += 1) runs.push(await fx.run());
  const holder = await api.db.pool.connect();
  await holder.query('BEGIN');
  const lock = 'SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE';
  await holder.query(lock, [runs[0]?.conversation_id]);
  let answered = 0;
  const appends = runs.map(async ({ id }, n) => {
    const { status } = await fx.patch(id, { status: 'finalizing', sequence: 2, append: `piece ${n}` });
    answered += 1;
    return status;
  });
  try {
    await eventually(() => answered >= RUNS - EDITING);
    expect(answered).toBe(RUNS - EDITING);
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

import type { BotPrincipal } from '@tieline/platform/http';
import type { TestApi } from '@tieline/spaces/testing';
import { mayIdle, readRows } from '@tieline/testing';
import { RunsFixture, startRunsApi } from '../testing/index.js';
import { AppendToRuns } from './append-to-runs.js';
import { UpdateAgentRun } from './update-agent-run.js';

/* Limits of a statement: MAX_BATCH and MAX_LENGTH. */
const MAX_BATCH = 128;
const MAX_LENGTH = 64_000;
const MAX_TEXT = 4000;

let api: TestApi;
let fx: RunsFixture;
let bot: BotPrincipal;
let appends: AppendToRuns;
beforeAll(async () => {
  api = await startRunsApi();
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
  bot = {
    kind: 'bot',
    botId: fx.tasks.bot.id,
    spaceId: fx.tasks.space.spaceId,
    scopes: 'all',
  } as BotPrincipal;
  appends = new AppendToRuns(api.db);
});
afterAll(() => api?.close());

/** Copies a new run, which takes less time than to create each. */
async function runs(count: number): Promise<string[]> {
  const { id } = await fx.run();
  const { rows: columns } = await api.db.pool.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = 'agent_runs'::regclass AND attnum > 0 AND attname NOT IN ('id', 'idempotency_key')`,
  );
  const list = columns.map(({ name }) => name).join();
  const copies = await readRows<{ id: string }>(
    api.db,
    `INSERT INTO agent_runs (id, idempotency_key, ${list})
     SELECT gen_random_uuid(), gen_random_uuid(), ${list} FROM agent_runs, generate_series(1, $2::int) WHERE id = $1
     RETURNING id`,
    [id, count],
  );
  return copies.map((copy) => copy.id);
}

const append = (runId: string, piece: string, sequence = 2n) =>
  appends.run({ bot, runId, status: 'finalizing', sequence, append: piece, errorCode: '' });
/** Returns texts and transactions of runs, in this order. */
async function stored(ids: string[]): Promise<{ text: string; xmin: string }[]> {
  return readRows(
    api.db,
    `SELECT public_text AS text, xmin::text FROM agent_runs WHERE id = ANY ($1::uuid[]) ORDER BY array_position($1::uuid[], id)`,
    [ids],
  );
}
async function transactions(ids: string[]): Promise<number> {
  return new Set((await stored(ids)).map(({ xmin }) => xmin)).size;
}

test('concurrent appends of a bot share a commit, and each run gets its own piece', async () => {
  const ids = await runs(30);
  const answers = await Promise.all(ids.map((id, n) => append(id, `piece ${n}`)));
  expect(answers.map((answer) => [answer?.run.id, answer?.run.publicText])).toEqual(
    ids.map((id, n) => [id, `piece ${n}`]),
  );
  expect((await stored(ids)).map(({ text }) => text)).toEqual(ids.map((_, n) => `piece ${n}`));
  expect(await transactions(ids)).toBe(1);
});

test('appends that cannot be applied leave the others of their statement alone', async () => {
  const [fine, long, old, ended, also] = (await runs(5)) as [string, string, string, string, string];
  await append(long, 'x'.repeat(MAX_TEXT - 1));
  await append(old, 'a', 7n);
  await api.db.query(
    `UPDATE agent_runs SET status = 'cancelled', completed_at = now(), edit_due_at = NULL WHERE id = $1`,
    [ended],
  );
  const foreign = await RunsFixture.of(api);
  const { id: ofOthers } = await foreign.run();
  const answers = await Promise.all([
    append(fine, 'one'),
    append(long, 'yz', 3n),
    append(old, 'b', 7n),
    append(ended, 'c'),
    append(ofOthers, 'd'),
    append(fine, ' two', 3n),
    append(also, 'three'),
  ]);
  expect(answers.map((answer) => answer?.run.publicText)).toEqual([
    'one',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    'three',
  ]);
  expect((await stored([old, ended, ofOthers])).map(({ text }) => text)).toEqual(['a', '', '']);
});

test('a bot that was removed from the conversation appends nothing', async () => {
  const ids = await runs(2);
  await api.db.query('DELETE FROM conversation_members WHERE member_id = $1', [bot.botId]);
  expect(await Promise.all(ids.map((id) => append(id, 'x')))).toEqual([undefined, undefined]);
});

test('a piece that the database refuses fails alone', async () => {
  const ids = await runs(3);
  const updates = api.app.get(UpdateAgentRun);
  const answers = await Promise.allSettled(
    ['fine', 'a NUL \0', 'fine too'].map((piece, n) =>
      updates.run(bot, ids[n] as string, {
        ...{ status: 'finalizing', sequence: 2n, append: piece },
        ...{ publicText: undefined, errorCode: '', fileIds: [] },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await stored(ids)).map(({ text }) => text)).toEqual(['fine', '', 'fine too']);
});

test('a locked run delays no other run', async () => {
  const [locked, ...free] = (await runs(4)) as [string, ...string[]];
  const holder = await api.db.pool.connect();
  try {
    await holder.query('BEGIN');
    await mayIdle(holder);
    await holder.query('SELECT 1 FROM agent_runs WHERE id = $1 FOR NO KEY UPDATE', [locked]);
    const answers = await Promise.all([locked, ...free].map((id) => append(id, 'x')));
    expect(answers.map((answer) => answer?.run.publicText)).toEqual([undefined, 'x', 'x', 'x']);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

test('a statement has at most 128 pieces', async () => {
  const ids = await runs(MAX_BATCH + 1);
  await Promise.all(ids.map((id) => append(id, 'x')));
  expect(await transactions(ids.slice(0, MAX_BATCH))).toBe(1);
  expect(await transactions(ids)).toBe(2);
});

test('a statement has pieces of at most 64,000 characters', async () => {
  const perStatement = MAX_LENGTH / MAX_TEXT;
  const ids = await runs(perStatement + 1);
  await Promise.all(ids.map((id) => append(id, 'x'.repeat(MAX_TEXT))));
  expect(await transactions(ids.slice(0, perStatement))).toBe(1);
  expect(await transactions(ids)).toBe(2);
});

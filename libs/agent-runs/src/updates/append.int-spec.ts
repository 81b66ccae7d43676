import { eventually, readRows } from '@tieline/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { EDIT_SPACING_MS } from '../placeholders/placeholder.js';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const SPACING_MS = 1000;

let api: TestApi;
let fx: RunsFixture;
beforeAll(async () => {
  api = await startRunsApi({ RATE_AGENT_RUN_UPDATE_PER_SECOND: '5', RATE_BOT_WRITES_PER_SECOND: '10' });
});
afterAll(() => api?.close());
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});

const append = (id: string, sequence: number, text: string, more: object = {}): Promise<TestAnswer> =>
  fx.patch(id, { status: 'finalizing', sequence, append: text, ...more });
const textOf = async (id: string): Promise<string> => (await fx.get(id)).body.agent_run.public_text;
const isDue = async (id: string): Promise<boolean> =>
  (
    await readRows<{ due: boolean }>(
      api.db,
      'SELECT edit_due_at IS NOT NULL AS due FROM agent_runs WHERE id = $1',
      [id],
    )
  )[0]?.due ?? false;
/** Sets the time of the last edit of the placeholder to this long from now. */
const setLastEdit = (id: string, inTime: string): Promise<unknown> =>
  api.db.query('UPDATE agent_runs SET edited_at = clock_timestamp() + $2::interval WHERE id = $1', [
    id,
    inTime,
  ]);
/** Returns how long after the last edit the next one is due, in milliseconds. */
const spacingOf = async (id: string): Promise<number | undefined> =>
  (
    await readRows<{ ms: number }>(
      api.db,
      'SELECT (1000 * extract(epoch FROM edit_due_at - edited_at))::int AS ms FROM agent_runs WHERE id = $1',
      [id],
    )
  )[0]?.ms;

test('appends text unchanged, including whitespace, and the run has it immediately', async () => {
  const { id } = await fx.run();
  await fx.patch(id, { status: 'queued', sequence: 2, public_text: 'The linker' });
  for (const [n, piece] of [' ran', '\n', ' out 💥'].entries())
    expect((await append(id, n + 3, piece)).status).toBe(200);
  expect(await textOf(id)).toBe('The linker ran\n out 💥');
});

test('fast appends are shown once per second, including the last one', async () => {
  const run = await fx.run();
  const pieces = Array.from({ length: 40 }, (_, n) => `${n} `);
  for (const [n, piece] of pieces.entries()) {
    let response = await append(run.id, n + 2, piece);
    while (response.status === 429) response = await append(run.id, n + 2, piece);
    expect(response.status).toBe(200);
  }
  await eventually(async () => !(await isDue(run.id)));
  const edits = await fx.edits(run.message_id);
  expect(edits[0]?.text).toBe('0 ');
  expect(edits.at(-1)?.text).toBe(pieces.join(''));
  for (const [n, { at }] of edits.slice(1).entries())
    expect(at - (edits[n]?.at ?? 0)).toBeGreaterThanOrEqual(SPACING_MS - 1);
});

test('an update of the whole text does not wait for the spacing of appends', async () => {
  const run = await fx.run();
  await append(run.id, 2, 'a');
  await setLastEdit(run.id, '1 hour');
  await append(run.id, 3, 'b');
  expect(await spacingOf(run.id)).toBe(SPACING_MS);
  await fx.patch(run.id, { status: 'using_tool', sequence: 4, public_text: 'whole' });
  expect(await spacingOf(run.id)).toBe(EDIT_SPACING_MS);
  // Its edit is made by its own timer, not by that of the append in an hour.
  await setLastEdit(run.id, '0 s');
  await fx.patch(run.id, { status: 'using_tool', sequence: 5, public_text: 'all' });
  await eventually(async () => !(await isDue(run.id)));
  expect((await fx.edits(run.message_id)).map(({ text }) => text)).toEqual(['a', 'all']);
});

test('the end shows everything immediately, and completed can include the last piece', async () => {
  const run = await fx.run();
  await append(run.id, 2, 'one');
  await append(run.id, 3, ' two');
  const ended = await append(run.id, 4, ' three', { status: 'completed' });
  expect(ended.body.agent_run).toMatchObject({ status: 'completed', public_text: 'one two three' });
  expect((await fx.edits(run.message_id)).at(-1)?.text).toBe('one two three');
  expect((await append(run.id, 4, ' three', { status: 'completed' })).body).toEqual(ended.body);
  expect((await append(run.id, 4, ' four', { status: 'completed' })).status).toBe(409);
});

test('repeating a sequence with the same piece gets 200 and adds nothing; another piece gets 409', async () => {
  const { id } = await fx.run();
  const first = await append(id, 2, 'a');
  expect((await append(id, 2, 'a')).body).toEqual(first.body);
  for (const response of [
    await append(id, 2, 'b'),
    await append(id, 1, 'a'),
    await append(id, 2, 'a', { status: 'queued' }),
    await fx.patch(id, { status: 'finalizing', sequence: 2, public_text: 'b' }),
  ])
    expect(response).toMatchObject({ status: 409, body: { code: 'stale_sequence' } });
  await append(id, 3, 'b');
  expect((await append(id, 2, 'a')).status).toBe(409);
  expect(await textOf(id)).toBe('ab');
});

test('of ten concurrent appends with one sequence one is added', async () => {
  const { id } = await fx.run();
  await Promise.all(Array.from({ length: 10 }, () => append(id, 2, 'a')));
  expect(await textOf(id)).toBe('a');
});

test('the text is limited to 4000 characters in total', async () => {
  const { id } = await fx.run();
  expect((await append(id, 2, '😀'.repeat(3999))).status).toBe(200);
  for (const status of ['finalizing', 'completed'])
    expect(await append(id, 3, 'ab', { status })).toMatchObject({
      status: 400,
      body: { error: 'public_text too long (max 4000 chars)', field: 'append' },
    });
  expect((await append(id, 3, 'a')).status).toBe(200);
});

test.each<[string, Record<string, unknown>]>([
  ['with public_text', { append: 'a', public_text: 'b' }],
  ['with an empty public_text', { append: 'a', public_text: '' }],
  ['with content', { append: 'a', content: 'b' }],
  ['of a wrong type', { append: 5 }],
  ['too long by itself', { append: 'x'.repeat(4001) }],
])('400: %s', async (_, body) => {
  const { id } = await fx.run();
  expect(await fx.patch(id, { status: 'queued', sequence: 2, ...body })).toMatchObject({
    status: 400,
    body: { field: 'append' },
  });
  expect((await fx.get(id)).body.agent_run.sequence).toBe(1);
});

test('completed with only whitespace gets 400; null and "" do not count as append', async () => {
  const { id } = await fx.run();
  expect(await append(id, 2, ' ', { status: 'completed' })).toMatchObject({
    status: 400,
    body: { error: 'public_text is required for completed' },
  });
  for (const [n, none] of [null, ''].entries())
    expect(
      (await fx.patch(id, { status: 'queued', sequence: n + 2, append: none, public_text: 'a' })).status,
    ).toBe(200);
});

test('whitespace alone does not replace the status text', async () => {
  const run = await fx.run();
  await append(run.id, 2, ' ');
  expect((await fx.edits(run.message_id)).at(-1)?.text).toBe('Готовлю финальный ответ');
});

test('appends are limited to 50 per second per run, separately from other rates', async () => {
  const statuses = await withinOneWindow(api, async () => {
    fx = await RunsFixture.of(api);
    const { id } = await fx.run();
    const answers: number[] = [];
    for (let n = 0; n < 51; n += 1) answers.push((await append(id, n + 2, 'a')).status);
    answers.push((await fx.patch(id, { status: 'queued', sequence: 60 })).status);
    return answers;
  });
  expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), 429, 200]);
});

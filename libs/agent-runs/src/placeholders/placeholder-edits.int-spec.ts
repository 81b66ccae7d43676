import { DeleteMessage } from '@tieline/conversations';
import { archiveConversation } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { Placeholders } from './placeholder.js';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const SPACING_MS = 200;

let api: TestApi;
let fx: RunsFixture;

beforeAll(async () => {
  api = await startRunsApi();
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});
afterAll(() => api?.close());

const due = async (id: string): Promise<boolean> =>
  (
    await readRows<{ due: boolean }>(
      api.db,
      'SELECT edit_due_at IS NOT NULL AS due FROM agent_runs WHERE id = $1',
      [id],
    )
  )[0]?.due ?? false;
/** Simulates a killed process: marks the edit as overdue. */
const forgotten = (id: string, seconds = 10): Promise<unknown> =>
  api.db.query(
    `UPDATE agent_runs SET edit_due_at = clock_timestamp() - $2::int * interval '1 second' WHERE id = $1`,
    [id, seconds],
  );
/** Makes the spacing of the run's next edit end in an hour. */
const keepSpacing = (id: string): Promise<unknown> =>
  api.db.query(`UPDATE agent_runs SET edited_at = clock_timestamp() + interval '1 hour' WHERE id = $1`, [id]);
const gaps = (edits: { at: number }[]): number[] =>
  edits.slice(1).map(({ at }, n) => at - (edits[n]?.at ?? 0));

test('50 fast changes cause few, spaced edits that end with the last state', async () => {
  const run = await fx.run();
  const since = Date.now();
  for (let sequence = 2; sequence <= 51; sequence += 1)
    expect(
      (await fx.patch(run.id, { status: 'using_tool', sequence, public_text: `step ${sequence}` })).status,
    ).toBe(200);
  await eventually(async () => !(await due(run.id)));
  const [edits, took] = [await fx.edits(run.message_id), Date.now() - since];
  expect(edits[0]?.text).toBe('step 2');
  expect(edits.at(-1)).toMatchObject({ text: 'step 51', envelope: { agent_run: { sequence: 51 } } });
  expect(edits.length).toBeLessThanOrEqual(Math.floor(took / SPACING_MS) + 2);
  expect(edits.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...gaps(edits))).toBeGreaterThanOrEqual(SPACING_MS - 1);
  expect((await fx.placeholders())[0]).toMatchObject({
    text: 'step 51',
    metadata_json: (await fx.get(run.id)).body.agent_run.bot_metadata_json,
  });
});

test('concurrent changes of several runs keep the spacing and lose no state', async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, () => fx.run()));
  await Promise.all(
    runs.flatMap(({ id }) =>
      Array.from({ length: 12 }, (_, n) =>
        fx.patch(id, { status: 'queued', sequence: n + 2, public_text: `step ${n + 2}` }),
      ),
    ),
  );
  for (const { id, message_id } of runs) {
    await eventually(async () => !(await due(id)));
    const [edits, now] = [await fx.edits(message_id), (await fx.get(id)).body.agent_run];
    expect(edits.at(-1)).toMatchObject({ text: now.public_text, envelope: { agent_run: { sequence: 13 } } });
    for (const gap of gaps(edits)) expect(gap).toBeGreaterThanOrEqual(SPACING_MS - 1);
  }
});

test('a change after the spacing is shown before the response', async () => {
  const run = await fx.run();
  await fx.patch(run.id, { status: 'queued', sequence: 2 });
  expect((await fx.placeholders())[0]?.text).toBe('В очереди');
  await eventually(
    async () =>
      (
        await api.db.query(
          `SELECT 1 FROM agent_runs WHERE id = $1 AND edited_at < statement_timestamp() - interval '250 milliseconds'`,
          [run.id],
        )
      ).length > 0,
  );
  await fx.patch(run.id, { status: 'finalizing', sequence: 3 });
  expect((await fx.placeholders())[0]?.text).toBe('Готовлю финальный ответ');
});

test('the end is shown immediately, and nothing is shown after it', async () => {
  const run = await fx.run();
  await fx.patch(run.id, { status: 'queued', sequence: 2 });
  await keepSpacing(run.id);
  await fx.patch(run.id, { status: 'using_tool', sequence: 3 });
  expect(await due(run.id)).toBe(true);
  await fx.patch(run.id, { status: 'completed', sequence: 4, public_text: 'done' });
  expect((await fx.placeholders())[0]?.text).toBe('done');
  // Neither the timer of the third update nor a worker finds an edit to make.
  expect(await due(run.id)).toBe(false);
  await api.app
    .get(Placeholders)
    .editIfDue([{ spaceId: fx.tasks.space.spaceId, id: run.id, messageId: run.message_id }]);
  await api.app.get(Placeholders).editOverdue();
  expect((await fx.edits(run.message_id)).map(({ envelope }) => envelope.agent_run.status)).toEqual([
    'queued',
    'completed',
  ]);
});

test('a worker shows once what a killed process had not shown', async () => {
  const runs = [await fx.run(), await fx.run(), await fx.run()];
  for (const { id } of runs) {
    await api.db.query(
      `UPDATE agent_runs SET status = 'queued', sequence = 2, edited_at = clock_timestamp() - interval '20 seconds' WHERE id = $1`,
      [id],
    );
    await forgotten(id);
  }
  await Promise.all([api.app.get(Placeholders).editOverdue(), api.app.get(Placeholders).editOverdue()]);
  for (const { message_id } of runs)
    expect((await fx.edits(message_id)).map(({ text }) => text)).toEqual(['В очереди']);
  expect(await api.app.get(Placeholders).editOverdue()).toEqual([]);
  for (const { id, message_id } of runs)
    expect([await due(id), (await fx.edits(message_id)).length]).toEqual([false, 1]);
});

test('a failed edit is retried and does not block others', async () => {
  const [broken, whole] = [await fx.run(), await fx.run()];
  await api.db.query(`UPDATE agent_runs SET message_id = gen_random_uuid() WHERE id = $1`, [broken.id]);
  await forgotten(broken.id, 20);
  await forgotten(whole.id);
  expect(await api.app.get(Placeholders).editOverdue()).toEqual([
    expect.objectContaining({ message: expect.stringContaining('unknown_message') }),
  ]);
  expect(await fx.edits(whole.message_id)).toHaveLength(1);
  expect(await due(broken.id)).toBe(true);
  await api.db.query(`UPDATE agent_runs SET message_id = $2 WHERE id = $1`, [broken.id, broken.message_id]);
  expect(await api.app.get(Placeholders).editOverdue()).toEqual([]);
  expect(await fx.edits(broken.message_id)).toHaveLength(1);
});

test('with a deleted placeholder the run continues without edits', async () => {
  const [run, late] = [await fx.run(), await fx.run()];
  const { spaceId, owner } = fx.tasks.space;
  await fx.patch(late.id, { status: 'queued', sequence: 2 });
  await keepSpacing(late.id);
  await fx.patch(late.id, { status: 'using_tool', sequence: 3 });
  for (const { message_id } of [run, late]) {
    await fx.tasks.api.call('POST', `/api/v1/client/conversations/${fx.tasks.channel}/join`, {
      token: owner.token,
    });
    expect(
      await runInWorkerTx(api.db, (tx) =>
        api.app.get(DeleteMessage).in(tx, {
          spaceId,
          messageId: message_id,
          actor: { id: owner.id, type: 'user' },
          role: 'owner',
        }),
      ),
    ).toBeUndefined();
  }
  const before = (await fx.tasks.events('MESSAGE_UPDATED')).length;
  expect((await fx.patch(run.id, { status: 'queued', sequence: 2 })).body.agent_run).toMatchObject({
    status: 'queued',
    message_id: run.message_id,
  });
  expect(
    (await fx.patch(run.id, { status: 'completed', sequence: 3, public_text: 'x' })).body.agent_run,
  ).toMatchObject({ status: 'completed', attachment_status: 'none' });
  await forgotten(late.id);
  expect(await api.app.get(Placeholders).editOverdue()).toEqual([]);
  expect(await due(late.id)).toBe(false);
  expect((await fx.cancel(late.id)).status).toBe(200);
  expect(await fx.tasks.events('MESSAGE_UPDATED')).toHaveLength(before);
  expect((await fx.placeholders()).map(({ text }) => text)).toEqual(['', '']);
});

test('its bot can delete a placeholder only after the run has ended', async () => {
  const run = await fx.run();
  const deletion = {
    spaceId: fx.tasks.space.spaceId,
    messageId: run.message_id,
    actor: { id: fx.tasks.bot.id, type: 'bot' as const },
  };
  const remove = () => runInWorkerTx(api.db, (tx) => api.app.get(DeleteMessage).in(tx, deletion));
  expect(await remove()).toEqual({ refused: 'guarded' });
  await fx.patch(run.id, { status: 'completed', sequence: 2, public_text: 'done' });
  expect(await remove()).toBeUndefined();
});

test('in an archived conversation the run continues', async () => {
  const run = await fx.run();
  const actor = { id: fx.tasks.person.id, type: 'user' as const };
  await runInWorkerTx(api.db, (tx) =>
    archiveConversation(tx, { spaceId: fx.tasks.space.spaceId, conversationId: fx.tasks.channel, actor }),
  );
  expect((await fx.patch(run.id, { status: 'queued', sequence: 2 })).status).toBe(200);
  expect((await fx.patch(run.id, { status: 'completed', sequence: 3, public_text: 'done' })).status).toBe(
    200,
  );
  expect((await fx.placeholders())[0]?.text).toBe('done');
});

import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { ExpireAgentRuns } from '../endings/expire-agent-runs.js';
import { FinishAgentRun } from '../endings/finish-agent-run.js';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const GRACE_SECONDS = 3600;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let api: TestApi;
let fx: RunsFixture;

beforeAll(async () => {
  api = await startRunsApi();
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});
afterAll(() => api?.close());

const stop = (id: string, person = fx.tasks.person): Promise<TestAnswer> =>
  fx.tasks.asPerson('POST', `/agent_runs/${id}/stop`, undefined, person);
const join = (personId: string): Promise<unknown> =>
  api.db.query(
    `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'user')`,
    [fx.tasks.space.spaceId, fx.tasks.channel, personId],
  );
const requests = (): Promise<any[]> => fx.tasks.events('bot.direct_event');
/**
 * Cancels until none is overdue: a run that is being changed, such as by the edit of its
 * placeholder, is left to the next execution.
 */
async function cancelStopped(): Promise<void> {
  const runs = new ExpireAgentRuns(api.db, api.app.get(FinishAgentRun));
  await eventually(async () => {
    expect(await runs.cancelStopped(GRACE_SECONDS)).toEqual([]);
    const overdue = `SELECT 1 FROM agent_runs
      WHERE completed_at IS NULL AND stop_requested_at < statement_timestamp() - $1::int * interval '1 second'`;
    expect(await readRows(api.db, overdue, [GRACE_SECONDS])).toEqual([]);
  });
}
/** Moves the request for a stop beyond the grace period. */
const age = (id: string): Promise<unknown> =>
  api.db.query(
    `UPDATE agent_runs SET stop_requested_at = clock_timestamp() - ($2::int + 1) * interval '1 second' WHERE id = $1`,
    [id, GRACE_SECONDS],
  );

describe('a stop', () => {
  test('is stored, sent to the bot and shown to people', async () => {
    const run = await fx.run({ content: 'Thinking…' });
    await fx.patch(run.id, { status: 'using_tool', sequence: 9007199254740993 });
    const { body, status } = await stop(run.id);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        ok: true,
        run: {
          id: run.id,
          bot_id: fx.tasks.bot.id,
          status: 'using_tool',
          is_terminal: false,
          stop_requested_at: TIME,
          stop_requested_by: fx.tasks.person.id,
        },
      },
    });
    expect(Object.keys(body.run)).not.toEqual(expect.arrayContaining(['idempotency_key']));
    const [event, ...more] = await requests();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ bot_id: fx.tasks.bot.id, event_type: 'agent_run.stop_requested' });
    expect(JSON.parse(event.payload_json)).toEqual({
      event_type: 'agent_run.stop_requested',
      run_id: run.id,
      conversation_id: fx.tasks.channel,
      message_id: run.message_id,
      user_id: fx.tasks.person.id,
      sequence: expect.any(Number),
      requested_at: body.run.stop_requested_at,
    });
    expect(JSON.parse(event.head)).toMatchObject({
      event_type: 'agent_run.stop_requested',
      space_id: fx.tasks.space.spaceId,
      conversation_id: fx.tasks.channel,
      actor_user_id: fx.tasks.person.id,
      data: null,
    });
    const edits = await fx.edits(run.message_id);
    expect(edits.at(-1)?.envelope.agent_run).toMatchObject({ status: 'using_tool' });
  });

  test('sends a sequence of 64 bits exactly', async () => {
    const run = await fx.run();
    await api.db.query('UPDATE agent_runs SET sequence = 9223372036854775806 WHERE id = $1', [run.id]);
    await stop(run.id);
    const [event] = await requests();
    expect(event.payload_json).toContain('"sequence":9223372036854775806,');
  });

  test('is told in the response to each later update, and shown in the placeholder until the run ends', async () => {
    const run = await fx.run();
    expect((await fx.patch(run.id, { status: 'queued', sequence: 2 })).body.stop_requested).toBeUndefined();
    await stop(run.id);
    await eventually(async () =>
      expect((await fx.edits(run.message_id)).at(-1)?.envelope.agent_run.stop_requested).toBe(true),
    );
    const updated = await fx.patch(run.id, { status: 'using_tool', sequence: 3 });
    expect(updated.body).toMatchObject({ stop_requested: true, agent_run: { stop_requested_at: TIME } });
    expect((await fx.patch(run.id, { status: 'using_tool', sequence: 4, append: 'a' })).body).toMatchObject({
      stop_requested: true,
    });
    expect((await fx.get(run.id)).body.stop_requested).toBe(true);
    const ended = await fx.patch(run.id, { status: 'completed', sequence: 5, public_text: 'Half of it' });
    expect(ended).toMatchObject({ status: 200, body: { stop_requested: true } });
    const edits = await fx.edits(run.message_id);
    expect(edits.at(-1)).toMatchObject({ text: 'Half of it' });
    expect(edits.at(-1)?.envelope.agent_run.stop_requested).toBeUndefined();
  });

  test('a repeat, also by another member, is 200 and sends nothing', async () => {
    const run = await fx.run();
    const first = await stop(run.id);
    const other = await fx.tasks.space.person('member', 'Bob');
    await join(other.id);
    expect(await stop(run.id)).toMatchObject({ status: 200, body: first.body });
    expect(await stop(run.id, other)).toMatchObject({ status: 200, body: first.body });
    expect(await requests()).toHaveLength(1);
  });

  test('concurrent stops send one event', async () => {
    const run = await fx.run();
    const answers = await Promise.all([1, 2, 3, 4].map(() => stop(run.id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await requests()).toHaveLength(1);
  });

  test.each(['completed', 'failed', 'cancelled', 'expired'])('a run that is %s gets 409', async (status) => {
    const run = await fx.run();
    await fx.patch(run.id, { status, sequence: 2, public_text: 'Over' });
    expect(await stop(run.id)).toMatchObject({ status: 409, body: { code: 'run_is_terminal' } });
    expect(await requests()).toEqual([]);
  });

  test('a stop and an end at the same time: the run ends once, and the stop is either before or refused', async () => {
    for (let n = 0; n < 5; n += 1) {
      const run = await fx.run();
      const [stopped, ended] = await Promise.all([
        stop(run.id),
        fx.patch(run.id, { status: 'completed', sequence: 2, public_text: 'Done' }),
      ]);
      expect(ended.status).toBe(200);
      expect([200, 409]).toContain(stopped.status);
      expect((await fx.get(run.id)).body).toMatchObject({
        agent_run: { status: 'completed', sequence: 2 },
        ...(stopped.status === 200 && { stop_requested: true }),
      });
    }
  });
});

describe('who can stop', () => {
  test('members only, whatever their role, also in an archived conversation', async () => {
    const [guest, outsider] = [
      await fx.tasks.space.person('guest', 'Gus'),
      await fx.tasks.space.person('admin', 'Olga'),
    ];
    await join(guest.id);
    const run = await fx.run();
    expect((await stop(run.id, outsider)).status).toBe(403);
    expect(await requests()).toEqual([]);
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [fx.tasks.channel]);
    expect((await stop(run.id, guest)).status).toBe(200);
  });

  test('not who has left, nobody of another space, and no bot', async () => {
    const run = await fx.run();
    const foreign = await RunsFixture.of(api);
    expect((await stop(run.id, foreign.tasks.person)).status).toBe(404);
    await api.db.query('DELETE FROM conversation_members WHERE member_id = $1', [fx.tasks.person.id]);
    expect((await stop(run.id)).status).toBe(403);
    const path = `/api/v1/client/agent_runs/${run.id}/stop`;
    expect((await api.call('POST', path, { token: fx.tasks.bot.token })).status).toBe(403);
    expect((await stop('not-a-uuid')).status).toBe(400);
  });
});

describe('without an answer of the bot', () => {
  test('the service cancels the run after the grace period and keeps its text', async () => {
    const [run, ended, fresh, other] = [await fx.run(), await fx.run(), await fx.run(), await fx.run()];
    await fx.patch(run.id, { status: 'finalizing', sequence: 4, public_text: 'The first half' });
    for (const { id } of [run, ended, fresh]) await stop(id);
    await fx.patch(ended.id, { status: 'completed', sequence: 2, public_text: 'Done' });
    for (const { id } of [run, ended]) await age(id);
    await Promise.all([cancelStopped(), cancelStopped()]);
    expect((await fx.get(run.id)).body.agent_run).toMatchObject({
      status: 'cancelled',
      sequence: 5,
      public_text: 'The first half',
      completed_at: TIME,
    });
    expect((await fx.edits(run.message_id)).at(-1)).toMatchObject({
      text: 'The first half',
      envelope: { agent_run: { status: 'cancelled', sequence: 5, is_terminal: true } },
    });
    const statuses = [ended, fresh, other].map(async ({ id }) => (await fx.get(id)).body.agent_run.status);
    expect(await Promise.all(statuses)).toEqual(['completed', 'accepted', 'accepted']);
    expect(await fx.patch(run.id, { status: 'completed', sequence: 9, public_text: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'run_finished' },
    });
  });

  test('a bot that was deactivated does not keep the run open', async () => {
    const run = await fx.run();
    fx.tasks.remove(fx.tasks.bot);
    expect((await stop(run.id)).status).toBe(200);
    await age(run.id);
    await cancelStopped();
    const [row] = await readRows<{ status: string }>(api.db, 'SELECT status FROM agent_runs WHERE id = $1', [
      run.id,
    ]);
    expect(row?.status).toBe('cancelled');
  });
});

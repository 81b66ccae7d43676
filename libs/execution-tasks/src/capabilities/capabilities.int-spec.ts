import { uuidv7 } from 'uuidv7';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { startTasksApi, TasksFixture } from '../testing/index.js';

let api: TestApi;
let fx: TasksFixture;

beforeAll(async () => {
  api = await startTasksApi();
});
beforeEach(async () => {
  fx = await TasksFixture.of(api);
});
afterAll(() => api?.close());

interface Holder {
  id: string;
  token: string;
}

/** Creates a task and returns its capability. */
async function capability(body: Record<string, unknown> = {}): Promise<Holder> {
  const response = await fx.call('POST', '/execution_tasks', {
    conversation_id: fx.channel,
    idempotency_key: uuidv7(),
    ...body,
  });
  expect(response.status).toBe(200);
  return { id: response.body.execution_task.widget_id, token: response.body.runtime_capability.token };
}

const get = ({ id, token }: Holder): Promise<TestAnswer> =>
  fx.call('GET', `/execution_tasks/${id}`, undefined, { token });
const patch = ({ id, token }: Holder, body: Record<string, unknown>): Promise<TestAnswer> =>
  fx.call('PATCH', `/execution_tasks/${id}`, { sequence: 1, ...body }, { token });
const cancel = ({ id, token }: Holder): Promise<TestAnswer> =>
  fx.call('POST', `/execution_tasks/${id}/cancel`, undefined, { token });

const FORBIDDEN = { status: 403, body: { ok: false, error: 'the capability does not allow this action' } };
const GONE = { status: 410, body: { ok: false, error: 'capability expired or unknown' } };
const UNAUTHORIZED = { status: 401, body: { ok: false, error: 'invalid or revoked token' } };

describe("a capability allows its actions on its task in the bot's name", () => {
  test('with the default actions: GET, update and cancel', async () => {
    const held = await capability();
    expect((await get(held)).body).toEqual((await get({ ...held, token: fx.bot.token })).body);
    const updated = await patch(held, { status: 'in_progress', public_text: 'x' });
    expect(updated).toMatchObject({
      status: 200,
      body: { execution_task: { status: 'in_progress', public_text: 'x', sequence: 2 } },
    });
    for (const action of ['complete', 'fail'])
      expect(await patch(held, { action, sequence: 2 })).toMatchObject(FORBIDDEN);
    expect((await get(held)).body).toEqual(updated.body);
    expect((await cancel({ ...held, id: held.id.toUpperCase() })).body.execution_task.status).toBe(
      'cancelled',
    );
    expect((await cancel(held)).status).toBe(409);
  });

  test.each([
    ['complete', 'completed'],
    ['fail', 'blocked'],
    ['cancel', 'cancelled'],
    ['update', 'open'],
  ])('with %s alone: nothing else', async (allowed, status) => {
    const held = await capability({ allowed_actions: [allowed] });
    for (const action of ['update', 'complete', 'fail', 'cancel'].filter((other) => other !== allowed))
      expect(await patch(held, { action })).toMatchObject(FORBIDDEN);
    if (allowed !== 'update') expect(await patch(held, {})).toMatchObject(FORBIDDEN);
    if (allowed !== 'cancel') expect(await cancel(held)).toMatchObject(FORBIDDEN);
    expect((await get(held)).body.execution_task).toMatchObject({ status: 'open', sequence: 1 });
    expect((await patch(held, { action: allowed })).body.execution_task).toMatchObject({
      status,
      sequence: 2,
    });
  });

  test('400 for a malformed id or body, or an unknown action', async () => {
    const held = await capability();
    expect((await get({ ...held, id: 'x' })).status).toBe(400);
    expect((await patch(held, { action: 'close' })).status).toBe(400);
    expect((await patch(held, { sequence: 'x' })).status).toBe(400);
  });
});

describe('a capability allows nothing else', () => {
  test('404 for another task, also of the same bot', async () => {
    const [held, other] = [await capability(), await capability()];
    for (const id of [other.id, uuidv7()])
      for (const ask of [get, cancel, (holder: Holder) => patch(holder, {})])
        expect((await ask({ ...held, id })).status).toBe(404);
  });

  test('401 for all other endpoints', async () => {
    const { token } = await capability();
    const ask = (method: string, path: string) =>
      api.call(method, `/api/v1${path}`, { token, body: method === 'GET' ? undefined : {} });
    for (const [method, path] of [
      ['POST', '/bot/execution_tasks'],
      ['GET', `/channels/${fx.channel}/messages`],
      ['GET', '/client/conversations'],
    ] as const)
      expect(await ask(method, path)).toMatchObject(UNAUTHORIZED);
  });
});

describe('a capability becomes invalid', () => {
  const everywhere = [get, cancel, (holder: Holder) => patch(holder, {})];

  test('gets 410 after 24 hours, as an unknown one does', async () => {
    const held = await capability();
    await api.db.query(
      'UPDATE execution_tasks SET capability_expires_at = statement_timestamp() WHERE id = $1',
      [held.id],
    );
    for (const ask of everywhere) {
      expect(await ask(held)).toMatchObject(GONE);
      expect(await ask({ ...held, token: 'tlc_unknown' })).toMatchObject(GONE);
    }
  });

  test('gets 401 while its space or bot is disabled', async () => {
    const [first, second] = [await capability(), await capability()];
    await api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [fx.space.spaceId]);
    for (const ask of everywhere) expect(await ask(first)).toMatchObject(UNAUTHORIZED);
    await api.db.query('UPDATE spaces SET is_active = true WHERE id = $1', [fx.space.spaceId]);
    fx.remove(fx.bot);
    for (const ask of everywhere) expect(await ask(second)).toMatchObject(UNAUTHORIZED);
  });

  test('survives a new token of the bot, and can only read and cancel once the bot is removed', async () => {
    const held = await capability();
    fx.regenerate(fx.bot);
    expect((await get(held)).status).toBe(200);
    await api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
      fx.channel,
      fx.bot.id,
    ]);
    expect(await patch(held, {})).toMatchObject({ status: 403, body: { error: 'bot not in conversation' } });
    expect((await cancel(held)).status).toBe(200);
  });
});

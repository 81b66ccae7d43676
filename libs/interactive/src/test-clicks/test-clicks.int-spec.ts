import { verifyVersioned } from '@tieline/signing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { InteractiveAdminModule } from '../interactive.module.js';
import { InteractiveHarness } from '../testing/index.js';

let harness: InteractiveHarness;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [InteractiveAdminModule]);
});
afterAll(() => harness?.close());
beforeEach(() => {
  harness.receiver.requests.length = 0;
});

const testClick = (bot: SeededBot, body?: object): Promise<TestAnswer> =>
  harness.fixture.admin('POST', `/bots/${bot.id}/test_click`, body);

/** Returns the logged callback. The log is written after the response is sent. */
async function callbackOf(bot: SeededBot): Promise<unknown> {
  return eventually(async () => {
    const { callbacks } = (await harness.fixture.admin('GET', `/bots/${bot.id}/callbacks`)).body;
    expect(callbacks).toHaveLength(1);
    return callbacks[0];
  });
}
const failuresOf = (bot: SeededBot) =>
  readRows(harness.api.db, 'SELECT in_a_row FROM bot_callback_failures WHERE bot_id = $1', [bot.id]);

test('a test click is signed and shaped like a real one, and its answer is shown but not applied', async () => {
  const bot = await harness.calledBack();
  harness.receiver.respond({ status: 200, body: '{"send_message":{"text":"done"}}' });
  const { status, body } = await testClick(bot, { action_id: 'deploy', data: '{"build":1}' });
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      delivered_by: 'called_back',
      result: {
        status_code: 200,
        error: null,
        duration_ms: expect.any(Number),
        response: '{"send_message":{"text":"done"}}',
      },
    },
  ]);
  const [request] = harness.receiver.requests;
  expect(request?.headers['x-service-event']).toBe('button.click');
  expect(
    verifyVersioned(
      bot.secret,
      String(request!.headers['x-service-timestamp']),
      request!.body,
      String(request!.headers['x-service-signature']),
    ),
  ).toBe(true);
  expect(JSON.parse(request!.body.toString())).toMatchObject({
    event_type: 'button.click',
    space_id: harness.spaceId,
    actor_user_id: harness.fixture.space.owner.id,
    action_id: 'deploy',
    data: '{"build":1}',
    response_token: expect.any(String),
  });
  expect(await readRows(harness.api.db, `SELECT 1 FROM messages WHERE author_id = $1`, [bot.id])).toEqual([]);
  const { entries } = (await harness.fixture.admin('GET', `/audit_log?object_id=${bot.id}&limit=1`)).body;
  expect(entries).toMatchObject([{ action: 'bot.click_tested', actor_id: harness.fixture.space.owner.id }]);
  expect(await callbackOf(bot)).toMatchObject({ kind: 'click', status_code: 200, error: null });
});

test.each([
  ['an unknown answer', { status: 200, body: '{"dance":true}' }, 200],
  ['a failure', { status: 500, body: 'oops' }, 500],
])('%s is told, and counts for nothing', async (_, answer, code) => {
  const bot = await harness.calledBack();
  harness.receiver.respond(answer);
  const { body } = await testClick(bot);
  expect(body.result).toMatchObject({
    status_code: code,
    error: expect.stringMatching(/./),
    response: answer.body,
  });
  expect(await callbackOf(bot)).toMatchObject({ status_code: code });
  expect(await failuresOf(bot)).toEqual([]);
});

test('a polling bot gets it with its events and can answer it', async () => {
  const bot = await harness.polling();
  const { body } = await testClick(bot);
  expect(body).toEqual({ ok: true, delivered_by: 'queued', interaction_id: expect.any(String) });
  const answered = await harness.api.call('POST', `/api/v1/bot/interactions/${body.interaction_id}/respond`, {
    token: bot.token,
    body: { noop: true },
  });
  expect(answered.status).toBe(200);
});

test('null counts as absent, and an invalid action_id gets 400', async () => {
  for (const bot of [await harness.polling(), await harness.calledBack()])
    expect((await testClick(bot, { action_id: null, data: null })).status).toBe(200);
  expect(harness.asked).toMatchObject([{ action_id: 'test', data: '' }]);
  for (const action_id of ['UPPER', 'a b', '', 'x'.repeat(65), 7])
    expect((await testClick(await harness.polling(), { action_id })).body).toMatchObject({
      code: 'invalid_field',
      field: 'action_id',
    });
});

test('409 if clicks cannot be delivered or the bot is inactive, and 429 after twenty per minute', async () => {
  const bot = await harness.fixture.bot();
  expect((await testClick(bot)).body.code).toBe('clicks_go_nowhere');
  const called = await harness.calledBack();
  expect((await testClick(called, { action_id: '' })).status).toBe(400);
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await testClick(called)).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([20, 429]);
  await harness.fixture.admin('PATCH', `/bots/${called.id}`, { is_active: false });
  expect((await testClick(called)).status).toBe(429);
  const inactive = await harness.calledBack();
  await harness.fixture.admin('PATCH', `/bots/${inactive.id}`, { is_active: false });
  expect((await testClick(inactive)).body.code).toBe('bot_inactive');
});

import { verifyVersioned } from '@tieline/signing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { InteractiveAdminModule } from '../interactive.module.js';
import { InteractiveRig } from '../testing/index.js';

let rig: InteractiveRig;
beforeAll(async () => {
  rig = await InteractiveRig.start({}, [InteractiveAdminModule]);
});
afterAll(() => rig?.close());
beforeEach(() => {
  rig.receiver.requests.length = 0;
});

const testClick = (bot: SeededBot, body?: object): Promise<TestAnswer> =>
  rig.fixture.admin('POST', `/bots/${bot.id}/test_click`, body);

/** The one that is logged. It is written when the answer is out. */
async function callbackOf(bot: SeededBot): Promise<unknown> {
  return eventually(async () => {
    const { callbacks } = (await rig.fixture.admin('GET', `/bots/${bot.id}/callbacks`)).body;
    expect(callbacks).toHaveLength(1);
    return callbacks[0];
  });
}
const failuresOf = (bot: SeededBot) =>
  readRows(rig.api.db, 'SELECT in_a_row FROM bot_callback_failures WHERE bot_id = $1', [bot.id]);

test('a test click is signed and shaped like a real one, and its answer is shown and not carried out', async () => {
  const bot = await rig.calledBack();
  rig.receiver.respond({ status: 200, body: '{"send_message":{"text":"done"}}' });
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
  const [request] = rig.receiver.requests;
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
    space_id: rig.spaceId,
    actor_user_id: rig.fixture.space.owner.id,
    action_id: 'deploy',
    data: '{"build":1}',
    response_token: expect.any(String),
  });
  expect(await readRows(rig.api.db, `SELECT 1 FROM messages WHERE author_id = $1`, [bot.id])).toEqual([]);
  expect(await callbackOf(bot)).toMatchObject({ kind: 'click', status_code: 200, error: null });
  const { entries } = (await rig.fixture.admin('GET', `/audit_log?object_id=${bot.id}&limit=1`)).body;
  expect(entries).toMatchObject([{ action: 'bot.click_tested', actor_id: rig.fixture.space.owner.id }]);
});

test.each([
  ['an answer that is none of those that there are', { status: 200, body: '{"dance":true}' }, 200],
  ['a failure', { status: 500, body: 'oops' }, 500],
])('%s is told, and counts for nothing', async (_, answer, code) => {
  const bot = await rig.calledBack();
  rig.receiver.respond(answer);
  const { body } = await testClick(bot);
  expect(body.result).toMatchObject({
    status_code: code,
    error: expect.stringMatching(/./),
    response: answer.body,
  });
  expect(await callbackOf(bot)).toMatchObject({ status_code: code });
  expect(await failuresOf(bot)).toEqual([]);
});

test('a bot that polls gets it with its events, and may answer it', async () => {
  const bot = await rig.polling();
  const { body } = await testClick(bot);
  expect(body).toEqual({ ok: true, delivered_by: 'queued', interaction_id: expect.any(String) });
  const answered = await rig.api.call('POST', `/api/v1/bot/interactions/${body.interaction_id}/respond`, {
    token: bot.token,
    body: { noop: true },
  });
  expect(answered.status).toBe(200);
});

test('null counts as absent, and an action_id that no button can have is 400', async () => {
  for (const bot of [await rig.polling(), await rig.calledBack()])
    expect((await testClick(bot, { action_id: null, data: null })).status).toBe(200);
  expect(rig.asked).toMatchObject([{ action_id: 'test', data: '' }]);
  for (const action_id of ['UPPER', 'a b', '', 'x'.repeat(65), 7])
    expect((await testClick(await rig.polling(), { action_id })).body).toMatchObject({
      code: 'invalid_field',
      field: 'action_id',
    });
});

test('without a way for clicks it is 409, and so it is of an inactive bot; twenty a minute are enough', async () => {
  const bot = await rig.fixture.bot();
  expect((await testClick(bot)).body.code).toBe('clicks_go_nowhere');
  const called = await rig.calledBack();
  expect((await testClick(called, { action_id: '' })).status).toBe(400);
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await testClick(called)).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([20, 429]);
  await rig.fixture.admin('PATCH', `/bots/${called.id}`, { is_active: false });
  expect((await testClick(called)).status).toBe(429);
  const inactive = await rig.calledBack();
  await rig.fixture.admin('PATCH', `/bots/${inactive.id}`, { is_active: false });
  expect((await testClick(inactive)).body.code).toBe('bot_inactive');
});

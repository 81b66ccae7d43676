import { ClientStreamModule } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { verifyVersioned } from '@tieline/signing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { eventually } from '@tieline/testing';
import { InteractiveRig } from '../../testing/index.js';
import type { CalledBack, SeededMessage } from '../../testing/index.js';

const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;
const QUIET = {
  ...{ validate: true, title: 'Why?', private_metadata: 'ticket 7' },
  fields: [{ id: 'reason', type: 'text', label: 'Reason' }],
};
const LOUD = { ...QUIET, notify_on_close: true };
const GONE = [410, 'modal_gone'];
const AWAITS = [409, 'modal_awaits_answer'];
const CLOSED = [200, undefined];
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let rig: InteractiveRig;
let bot: CalledBack;
let message: SeededMessage;
beforeAll(async () => {
  rig = await InteractiveRig.start({}, [ClientStreamModule]);
});
beforeEach(async () => {
  bot = await rig.calledBack();
  message = await rig.message(bot);
});
afterAll(() => rig?.close());

const outcome = ({ status, body }: TestAnswer) => [status, body.code];
const close = (token: string) => rig.forms.use(token, 'close');
/** What the bot is told, but for the times and tokens. */
const told = () => ({
  event_type: 'modal.closed',
  space_id: rig.spaceId,
  actor_user_id: rig.person.id,
  conversation_id: message.channel,
  message_id: message.id,
  action_id: 'go',
  private_metadata: 'ticket 7',
  occurred_at: expect.stringMatching(NANO),
  response_token: expect.stringMatching(/^tlr_/),
  response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
});

test('closing uses the token up, and tells nobody who did not ask', async () => {
  for (const modal of [QUIET, { title: 'Loose', notify_on_close: true }]) {
    const token = await rig.forms.opened(message.id, modal);
    expect((await close(token)).body).toEqual({ ok: true });
    expect(outcome(await close(token))).toEqual(GONE);
    expect(outcome(await rig.submit(token))).toEqual(GONE);
  }
  expect(rig.receiver.requests).toEqual([]);
});

test('where notify_on_close is true the bot is called back, signed, whatever it answers', async () => {
  for (const answer of [200, 500, 'hang', { body: { open_modal: { title: 'Stay!' } } }] as const) {
    const token = await rig.forms.opened(message.id, LOUD);
    rig.receiver.respond(answer);
    expect((await close(token)).body).toEqual({ ok: true });
    expect(rig.asked).toEqual([told()]);
    const [{ headers, body }] = rig.receiver.requests as [(typeof rig.receiver.requests)[number]];
    expect(headers['x-service-event']).toBe('modal.closed');
    expect(
      verifyVersioned(
        bot.secret,
        String(headers['x-service-timestamp']),
        body,
        String(headers['x-service-signature']),
      ),
    ).toBe(true);
    expect(outcome(await close(token))).toEqual(GONE);
  }
});

test('a bot that polls finds it in its queue, without interaction_id', async () => {
  const polling = await rig.polling();
  message = await rig.message(polling);
  const token = await rig.forms.openedByPolling(polling, message.id, LOUD);
  expect(outcome(await close(token))).toEqual(CLOSED);
  const events = (await rig.directEvents()).filter(({ event_type: type }) => type === 'modal.closed');
  expect(events).toEqual([expect.objectContaining({ bot_id: polling.id, payload: told() })]);
  await rig.forms.openedByPolling(polling, message.id, QUIET).then(close);
  expect((await rig.directEvents()).filter(({ event_type: type }) => type === 'modal.closed')).toHaveLength(
    1,
  );
});

test('the bot may answer it late', async () => {
  const token = await rig.forms.opened(message.id, LOUD);
  await close(token);
  const { response_token: late } = rig.asked[0];
  const answer = await rig.api.call('POST', `/api/v1/bot/responses/${late}`, {
    token: bot.token,
    body: { update_message: { text: 'Never mind' } },
  });
  expect(answer.status).toBe(200);
  expect(await rig.stored(message.id)).toMatchObject({ text: 'Never mind' });
});

test('closed once, also by five at once', async () => {
  const token = await rig.forms.opened(message.id, LOUD);
  const closing = await runInWorkerTx(rig.api.db, async (tx) => {
    await tx.query('SELECT 1 FROM modals WHERE message_id = $1 FOR UPDATE', [message.id]);
    const five = Array.from({ length: 5 }, () => close(token));
    // Two wait for the lock, the others for their turn.
    await eventually(async () => expect(await rig.api.db.query(WAITING)).toHaveLength(2));
    return { answers: Promise.all(five) };
  });
  const answers = await closing.answers;
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
  expect(rig.receiver.requests).toHaveLength(1);
});

test('404 unknown; 410 expired; who has left may still close', async () => {
  expect(outcome(await close('x'.repeat(43)))).toEqual([404, 'modal_not_found']);
  const expired = await rig.forms.opened(message.id, LOUD);
  await rig.api.db.query('UPDATE modals SET expires_at = clock_timestamp() WHERE message_id = $1', [
    message.id,
  ]);
  expect(outcome(await close(expired))).toEqual(GONE);
  const left = await rig.forms.opened(message.id, LOUD);
  await rig.api.db.query(
    `DELETE FROM conversation_members WHERE conversation_id = $1 AND member_type = 'user'`,
    [message.channel],
  );
  expect(outcome(await close(left))).toEqual(CLOSED);
});

test('while it is being submitted it cannot be closed', async () => {
  const token = await rig.forms.opened(message.id, LOUD);
  rig.receiver.respond('hang');
  const submitting = rig.submit(token);
  await rig.receiver.waitFor(1);
  expect(outcome(await close(token))).toEqual(AWAITS);
  expect((await submitting).status).toBe(503);
  rig.receiver.respond(200);
  expect(outcome(await close(token))).toEqual(CLOSED);
});

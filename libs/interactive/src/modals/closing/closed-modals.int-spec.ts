import { ClientStreamModule } from '@tieline/live-stream';
import { runInWorkerTx } from '@tieline/platform/database';
import { verifyVersioned } from '@tieline/signing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { eventually, mayIdle } from '@tieline/testing';
import { InteractiveHarness } from '../../testing/index.js';
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

let harness: InteractiveHarness;
let bot: CalledBack;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [ClientStreamModule]);
});
beforeEach(async () => {
  bot = await harness.calledBack();
  message = await harness.message(bot);
});
afterAll(() => harness?.close());

const outcome = ({ status, body }: TestAnswer) => [status, body.code];
const close = (token: string) => harness.forms.use(token, 'close');
/** Returns the payloads sent to the bot, without times and tokens. */
const told = () => ({
  event_type: 'modal.closed',
  space_id: harness.spaceId,
  actor_user_id: harness.person.id,
  conversation_id: message.channel,
  message_id: message.id,
  action_id: 'go',
  modal_id: expect.any(String),
  private_metadata: 'ticket 7',
  occurred_at: expect.stringMatching(NANO),
  response_token: expect.stringMatching(/^tlr_/),
  response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
});

test('closing uses the token, and bots that did not ask are not notified', async () => {
  for (const modal of [QUIET, { title: 'Loose', notify_on_close: true }]) {
    const token = await harness.forms.opened(message.id, modal);
    expect((await close(token)).body).toEqual({ ok: true });
    expect(outcome(await close(token))).toEqual(GONE);
    expect(outcome(await harness.submit(token))).toEqual(GONE);
  }
  expect(harness.receiver.requests).toEqual([]);
});

test('with notify_on_close the bot gets a signed callback, whatever it answers', async () => {
  for (const answer of [200, 500, 'hang', { body: { open_modal: { title: 'Stay!' } } }] as const) {
    const token = await harness.forms.opened(message.id, LOUD);
    harness.receiver.respond(answer);
    const closed = await harness.timeouts.during(answer === 'hang' ? { callbackMs: 3000 } : {}, () =>
      close(token),
    );
    expect(closed.body).toEqual({ ok: true });
    await harness.receiver.waitFor(1);
    expect(harness.asked).toEqual([told()]);
    const [{ headers, body }] = harness.receiver.requests as [(typeof harness.receiver.requests)[number]];
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

test('a polling bot finds the event in its queue, without interaction_id', async () => {
  const polling = await harness.polling();
  message = await harness.message(polling);
  const token = await harness.forms.openedByPolling(polling, message.id, LOUD);
  expect(outcome(await close(token))).toEqual(CLOSED);
  const events = (await harness.directEvents()).filter(({ event_type: type }) => type === 'modal.closed');
  expect(events).toEqual([expect.objectContaining({ bot_id: polling.id, payload: told() })]);
  await harness.forms.openedByPolling(polling, message.id, QUIET).then(close);
  expect(
    (await harness.directEvents()).filter(({ event_type: type }) => type === 'modal.closed'),
  ).toHaveLength(1);
});

test('the bot can answer it late', async () => {
  const token = await harness.forms.opened(message.id, LOUD);
  await close(token);
  const { response_token: late } = harness.asked[0];
  const answer = await harness.api.call('POST', `/api/v1/bot/responses/${late}`, {
    token: bot.token,
    body: { update_message: { text: 'Never mind' } },
  });
  expect(answer.status).toBe(200);
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Never mind' });
});

test('one of five concurrent calls closes the modal', async () => {
  const token = await harness.forms.opened(message.id, LOUD);
  const closing = await runInWorkerTx(harness.api.db, async (tx) => {
    await mayIdle(tx);
    await tx.query('SELECT 1 FROM modals WHERE message_id = $1 FOR UPDATE', [message.id]);
    const five = Array.from({ length: 5 }, () => close(token));
    // Two wait for the lock, the others for a connection.
    await eventually(async () => expect(await harness.api.db.query(WAITING)).toHaveLength(2));
    return { answers: Promise.all(five) };
  });
  const answers = await closing.answers;
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
  expect(harness.receiver.requests).toHaveLength(1);
});

test('404 for unknown and 410 for expired tokens; a person who left can still close the modal', async () => {
  expect(outcome(await close('x'.repeat(43)))).toEqual([404, 'modal_not_found']);
  const expired = await harness.forms.opened(message.id, LOUD);
  await harness.api.db.query('UPDATE modals SET expires_at = clock_timestamp() WHERE message_id = $1', [
    message.id,
  ]);
  expect(outcome(await close(expired))).toEqual(GONE);
  const left = await harness.forms.opened(message.id, LOUD);
  await harness.api.db.query(
    `DELETE FROM conversation_members WHERE conversation_id = $1 AND member_type = 'user'`,
    [message.channel],
  );
  expect(outcome(await close(left))).toEqual(CLOSED);
});

test('a modal cannot be closed while it is being submitted', async () => {
  const token = await harness.forms.opened(message.id, LOUD);
  let answer: () => void = () => undefined;
  const refused = new Promise<void>((resolve) => (answer = resolve));
  harness.receiver.respond(() => refused.then(() => 500));
  const submitting = harness.submit(token);
  await harness.receiver.waitFor(1);
  expect(outcome(await close(token))).toEqual(AWAITS);
  answer();
  expect((await submitting).status).toBe(503);
  harness.receiver.respond(200);
  expect(outcome(await close(token))).toEqual(CLOSED);
});

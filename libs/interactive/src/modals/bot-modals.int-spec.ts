import type { SeededBot } from '@tieline/bots/testing';
import { ClientStreamModule } from '@tieline/live-stream';
import { PlatformSettings } from '@tieline/platform/config';
import type { TestAnswer } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import type { InteractiveSettings } from '../interactive.settings.js';
import { InteractiveHarness } from '../testing/index.js';
import type { CalledBack, SeededMessage } from '../testing/index.js';
import { TriggerIds } from '../triggers/trigger-ids.js';

const MODAL = {
  ...{ validate: true, title: 'First', private_metadata: 'one', notify_on_close: true },
  fields: [{ id: 'reason', type: 'text', label: 'Reason' }],
};
const { private_metadata: _, ...SHOWN } = MODAL;
const SECOND = { title: 'Second' };

let harness: InteractiveHarness;
let bot: CalledBack;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [ClientStreamModule]);
});
beforeEach(async () => {
  bot = await harness.calledBack();
  message = await harness.message(bot);
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
});
afterAll(() => harness?.close());

const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const send = (method: string, path: string, body: object, as: SeededBot = bot): Promise<TestAnswer> =>
  harness.api.call(method, `/api/v1/bot/modals${path}`, { token: as.token, body });
const open = (trigger: string, modal: object = MODAL, as: SeededBot = bot): Promise<TestAnswer> =>
  send('POST', '', { trigger_id: trigger, modal }, as);
const push = (id: string, modal: object = SECOND, as: SeededBot = bot): Promise<TestAnswer> =>
  send('POST', `/${id}/push`, { modal }, as);
const update = (id: string, modal: object = SECOND, as: SeededBot = bot): Promise<TestAnswer> =>
  send('PATCH', `/${id}`, { modal }, as);
/** Clicks. @returns the trigger id that the bot received */
const clicked = async (): Promise<string> => {
  await harness.api.db.query('DELETE FROM component_clicks');
  await harness.click(message.id);
  return harness.asked.at(-1).trigger_id;
};
const opened = async (): Promise<{ id: string; token: string }> => {
  const trigger = await clicked();
  let id = '';
  const event = await harness.forms.streamed('modal.open', async () => {
    id = (await open(trigger)).body.modal_id;
  });
  return { id, token: event.modal_token };
};
const pushed = async (below: string): Promise<{ id: string; token: string }> => {
  let id = '';
  const event = await harness.forms.streamed('modal.push', async () => {
    id = (await push(below)).body.modal_id;
  });
  return { id, token: event.modal_token };
};
const stored = () => readRows(harness.api.db, 'SELECT 1 FROM modals WHERE message_id = $1', [message.id]);
const leave = (type: 'bot' | 'user') =>
  harness.api.db.query(
    'DELETE FROM conversation_members WHERE conversation_id = $1 AND member_type::text = $2',
    [message.channel, type],
  );

test('the trigger of a click opens a modal, and its submission reaches the bot', async () => {
  const trigger = await clicked();
  expect(trigger).toMatch(/^tlt_[\w-]+$/);
  let answer: TestAnswer | undefined;
  const event = await harness.forms.streamed('modal.open', async () => (answer = await open(trigger)));
  expect(answer).toMatchObject({ status: 200, body: { ok: true, modal_id: expect.any(String) } });
  expect(event).toEqual({
    event: 'modal.open',
    conversation_id: message.channel,
    message_id: message.id,
    bot_id: bot.id,
    action_id: 'go',
    modal: SHOWN,
    modal_token: expect.any(String),
  });
  harness.receiver.requests.length = 0;
  expect((await harness.submit(event.modal_token, { reason: 'x' })).body.result).toBe('noop');
  expect(harness.asked).toMatchObject([
    {
      ...{ event_type: 'modal.submit', message_id: message.id, action_id: 'go' },
      ...{ modal_id: answer!.body.modal_id, values: { reason: 'x' }, private_metadata: 'one' },
    },
  ]);
});

test('a selection and a click in poll mode carry a trigger too', async () => {
  await harness.click(message.id, { action_id: 'stage', selected_value: 'live' });
  expect(harness.asked[0]).toMatchObject({ event_type: 'select.submit', trigger_id: expect.any(String) });
  expect(outcome(await open(harness.asked[0].trigger_id))).toEqual([200, 'ok']);
  bot = { ...(await harness.polling()), secret: '' };
  message = await harness.message(bot);
  await harness.click(message.id);
  const { payload } = (await harness.directEvents()).at(-1)!;
  expect(outcome(await open(payload.trigger_id))).toEqual([200, 'ok']);
});

test('of ten concurrent calls with one trigger one opens a modal, and the others get 410', async () => {
  const trigger = await clicked();
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(trigger)));
  const outcomes = answers.map(outcome).sort();
  expect(outcomes).toEqual([[200, 'ok'], ...Array.from({ length: 9 }, () => [410, 'trigger_used'])]);
  expect(await stored()).toHaveLength(1);
});

test('expired, foreign and unknown triggers open nothing', async () => {
  const past = { triggerTtlSeconds: -1 } as InteractiveSettings;
  const subject = {
    ...{ botId: bot.id, userId: harness.person.id, conversationId: message.channel, threadId: null },
    ...{ messageId: message.id, actionId: 'go' },
  };
  const settings = harness.api.app.get(PlatformSettings, { strict: false });
  const own = harness.api.app.get(TriggerIds, { strict: false });
  const expired = new TriggerIds(settings, past).issue(harness.spaceId, subject);
  expect(outcome(await open(expired))).toEqual([410, 'trigger_expired']);
  expect(outcome(await open(await clicked(), MODAL, await harness.calledBack()))).toEqual([
    403,
    'trigger_of_another_bot',
  ]);
  const far = (await harness.otherSpace()).fixture.space.spaceId;
  // What a person did in a view of a Slack app has no place for answers.
  const placeless = own.issue(harness.spaceId, { ...subject, conversationId: null, messageId: null });
  const unknown = ['tlt_AAAA', 'x', uuidv7(), own.issue(far, subject), placeless];
  for (const trigger of unknown) expect(outcome(await open(trigger))).toEqual([404, 'trigger_not_found']);
  expect(await stored()).toEqual([]);
});

test('an invalid body names the field and does not use the trigger', async () => {
  const trigger = await clicked();
  const refused = async (body: object): Promise<unknown[]> => {
    const { status, body: error } = await send('POST', '', body);
    return [status, error.field];
  };
  expect(await refused({ modal: MODAL })).toEqual([400, 'trigger_id']);
  expect(await refused({ trigger_id: 'x'.repeat(501), modal: MODAL })).toEqual([400, 'trigger_id']);
  for (const modal of [undefined, null, 'a', []])
    expect(await refused({ trigger_id: trigger, modal })).toEqual([400, 'modal']);
  const fields = [{ type: 'text' }];
  expect(await refused({ trigger_id: trigger, modal: { ...MODAL, fields } })).toEqual([
    400,
    'modal.fields[0].id',
  ]);
  expect(outcome(await open(trigger))).toEqual([200, 'ok']);
});

test('nothing opens or changes for a person who left, nor by a bot that left', async () => {
  const [{ id }, trigger] = [await opened(), await clicked()];
  await leave('user');
  const LEFT = [403, 'bot_not_in_conversation'];
  for (const call of [() => open(trigger), () => update(id), () => push(id)])
    expect(outcome(await call())).toEqual(LEFT);
  message = { ...message, channel: await harness.channel('private', { id: bot.id, type: 'bot' }) };
  message = await harness.message(bot, { channel: message.channel });
  const [inside, next] = [await opened(), await clicked()];
  await leave('bot');
  for (const call of [() => open(next), () => update(inside.id), () => push(inside.id)])
    expect(outcome(await call())).toEqual(LEFT);
});

test('an update replaces an open modal under its token', async () => {
  const { id, token } = await opened();
  const event = await harness.forms.streamed('modal.update', async () =>
    expect(outcome(await update(id))).toEqual([200, 'ok']),
  );
  expect(event).toMatchObject({ modal: SECOND, modal_token: token, bot_id: bot.id });
  harness.receiver.requests.length = 0;
  expect((await harness.submit(token)).status).toBe(200);
  expect(harness.asked[0]).toMatchObject({ modal_id: id });
});

test("404 for another bot's modal, 410 after it was closed, submitted or has expired", async () => {
  const { id, token } = await opened();
  const other = await harness.calledBack();
  for (const call of [update(id, SECOND, other), push(id, SECOND, other), update(uuidv7())])
    expect(outcome(await call)).toEqual([404, 'modal_not_found']);
  await harness.forms.use(token, 'close');
  const submitted = await opened();
  await harness.submit(submitted.token);
  const expired = await opened();
  await harness.api.db.query('UPDATE modals SET expires_at = clock_timestamp() WHERE id = $1', [expired.id]);
  for (const gone of [id, submitted.id, expired.id])
    for (const call of [update(gone), push(gone)]) expect(outcome(await call)).toEqual([410, 'modal_gone']);
});

test('while the bot answers a submission, its modal cannot be changed', async () => {
  const { id, token } = await opened();
  let during: unknown[] = [];
  harness.receiver.respond(async () => {
    during = [outcome(await update(id)), outcome(await push(id))];
    return { body: { update_modal: MODAL } };
  });
  expect((await harness.submit(token)).body.result).toBe('update_modal');
  expect(during).toEqual(Array.from({ length: 2 }, () => [409, 'modal_awaits_answer']));
  expect(outcome(await update(id))).toEqual([200, 'ok']);
});

test('three modals are on top of each other at most, and only the topmost is usable', async () => {
  const first = await opened();
  const second = await pushed(first.id);
  expect(outcome(await push(first.id))).toEqual([409, 'modal_covered']);
  expect(outcome(await harness.submit(first.token))).toEqual([409, 'modal_covered']);
  const third = await pushed(second.id);
  expect(outcome(await push(third.id))).toEqual([400, 'modal_stack_too_deep']);
  await harness.forms.use(third.token, 'close');
  await harness.forms.use(second.token, 'close');
  expect((await harness.submit(first.token)).status).toBe(200);
});

test('of concurrent pushes onto one modal one succeeds', async () => {
  const { id } = await opened();
  const answers = await Promise.all(Array.from({ length: 5 }, () => push(id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});

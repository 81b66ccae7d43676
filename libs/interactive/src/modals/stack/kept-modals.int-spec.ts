import { ClientStreamModule } from '@tieline/conversations';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, readRows } from '@tieline/testing';
import { claimModal, closeModal, findModal } from '../modals.queries.js';
import { InteractiveRig } from '../../testing/index.js';
import type { SeededMessage } from '../../testing/index.js';

type Fields = Record<string, unknown>;

const MODAL = {
  ...{ validate: true, title: 'First', private_metadata: 'one' },
  fields: [{ id: 'reason', type: 'text', label: 'Reason' }],
};
const SECOND = { ...MODAL, title: 'Second', private_metadata: 'two' };
const { private_metadata: _, ...SECOND_SHOWN } = SECOND;
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const COVERED = [409, 'modal_covered'];
const AWAITS = [409, 'modal_awaits_answer'];
const GONE = [410, 'modal_gone'];

let rig: InteractiveRig;
beforeAll(async () => {
  rig = await InteractiveRig.start({}, [ClientStreamModule]);
});
afterAll(() => rig?.close());

const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body.result];
const refusal = ({ status, body }: TestAnswer) => [status, body.code, body.field];
const expire = (interval: string) =>
  rig.api.db.query(
    `UPDATE modals SET expires_at = expires_at - $1::interval, child_until = child_until - $1::interval`,
    [interval],
  );
const left = async (): Promise<number[]> => {
  const rows = await readRows<{ s: number }>(
    rig.api.db,
    'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 AS s FROM modals ORDER BY stack_depth',
  );
  return rows.map(({ s }) => Math.round(s / 60));
};

describe('in callback form', () => {
  let message: SeededMessage;
  let token: string;
  beforeEach(async () => {
    await rig.api.db.query('DELETE FROM modals');
    message = await rig.message(await rig.calledBack());
    token = await rig.forms.opened(message.id, MODAL);
  });

  /** Submits, with that answer of the bot. */
  const submit = (modalToken: string, answer: Fields | 200 = 200): Promise<TestAnswer> => {
    if (answer === 200) rig.receiver.respond(200);
    else rig.answers(answer);
    return rig.submit(modalToken, { reason: 'x' });
  };
  const push = async (onto: string): Promise<string> =>
    (await submit(onto, { push_modal: SECOND })).body.modal_token;

  test('while the bot has not answered a submission, others are 409, and so is closing', async () => {
    rig.receiver.respond({ status: 200, body: { errors: { reason: 'Too short.' } }, delayMs: 1000 });
    const first = rig.submit(token, { reason: 'x' });
    await eventually(() => expect(rig.receiver.requests).toHaveLength(1));
    const others = await Promise.all(Array.from({ length: 3 }, () => rig.submit(token, { reason: 'x' })));
    expect(others.map(outcome)).toEqual([AWAITS, AWAITS, AWAITS]);
    expect(outcome(await rig.forms.use(token, 'close'))).toEqual(AWAITS);
    expect(outcome(await first)).toEqual([200, 'errors']);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
    expect(rig.receiver.requests).toHaveLength(2);
  });

  test('of submissions that all found the form free one is processed, the others are 409', async () => {
    const { answers } = await runInWorkerTx(rig.api.db, async (tx) => {
      await tx.query('SELECT 1 FROM modals FOR UPDATE');
      const five = Array.from({ length: 5 }, () => submit(token));
      await eventually(async () => expect(await rig.api.db.query(WAITING)).toHaveLength(5));
      return { answers: Promise.all(five) };
    });
    const statuses = (await answers).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    expect(rig.receiver.requests).toHaveLength(1);
  });

  test('submissions do not count as clicks', async () => {
    for (let n = 0; n < 31; n += 1)
      expect(outcome(await submit(token, { errors: { reason: 'No.' } }))).toEqual([200, 'errors']);
    expect(outcome(await rig.submit(token, { reason: 7 }))).toEqual([400, 'values_refused']);
  });

  test('errors keep the form: it may be submitted again', async () => {
    for (let n = 0; n < 3; n += 1)
      expect((await submit(token, { errors: { reason: 'Too short.' } })).body).toEqual({
        ok: true,
        result: 'errors',
        errors: { reason: 'Too short.' },
        modal_token: token,
      });
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
    expect(outcome(await submit(token))).toEqual(GONE);
  });

  test('errors do not make it live longer', async () => {
    await expire('10 minutes');
    await submit(token, { errors: { reason: 'No.' } });
    expect(await left()).toEqual([5]);
    await expire('5 minutes');
    expect(outcome(await submit(token))).toEqual(GONE);
  });

  test('update_modal shows another form under the same token, and its life begins anew', async () => {
    await expire('10 minutes');
    expect((await submit(token, { update_modal: SECOND })).body).toEqual({
      ok: true,
      result: 'update_modal',
      modal: SECOND_SHOWN,
      modal_token: token,
    });
    expect(await left()).toEqual([15]);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
    expect(rig.asked.at(-1)).toMatchObject({ private_metadata: 'two' });
    expect(outcome(await submit(token))).toEqual(GONE);
  });

  test('after update_modal the new rules hold', async () => {
    const strict = { ...MODAL, fields: [{ id: 'reason', type: 'number', label: 'Reason' }] };
    await submit(token, { update_modal: strict });
    expect((await rig.submit(token, { reason: 'x' })).body.errors).toEqual({ reason: 'Must be a number.' });
    rig.answers({ update_modal: { title: 'Loose' } });
    await rig.submit(token, { reason: 7 });
    expect(outcome(await rig.submit(token, { anything: 'x' }))).toEqual([200, 'update_modal']);
    expect(rig.asked.at(-1).values).toEqual({ anything: 'x' });
  });

  test('push_modal lays a form on top; the one beneath waits until that is submitted', async () => {
    const { body } = await submit(token, { push_modal: SECOND });
    expect(body).toEqual({
      ok: true,
      result: 'push_modal',
      modal: SECOND_SHOWN,
      modal_token: expect.stringMatching(/^[\w-]{43}$/),
    });
    const child: string = body.modal_token;
    expect(child).not.toBe(token);
    expect(outcome(await submit(token))).toEqual(COVERED);
    expect(outcome(await rig.forms.use(token, 'close'))).toEqual(COVERED);
    expect(outcome(await rig.forms.use(token, 'options', { field: 'reason' }))).toEqual(COVERED);
    expect(outcome(await submit(child, { errors: { reason: 'No.' } }))).toEqual([200, 'errors']);
    expect(outcome(await submit(token))).toEqual(COVERED);
    expect(outcome(await submit(child))).toEqual([200, 'noop']);
    expect(rig.asked.at(-1)).toMatchObject({ private_metadata: 'two', action_id: 'go' });
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
    expect(rig.asked.at(-1)).toMatchObject({ private_metadata: 'one' });
  });

  test('who looked before it was covered neither submits nor closes it afterwards', async () => {
    const seen = (await findModal(rig.api.db, rig.spaceId, token))!;
    await push(token);
    expect(await claimModal(rig.api.db, seen, 1000)).toBeUndefined();
    expect(await runInWorkerTx(rig.api.db, (tx) => closeModal(tx, seen))).toBeUndefined();
  });

  test('three deep, and no deeper', async () => {
    const second = await push(token);
    const third = await push(second);
    expect(await left()).toEqual([15, 15, 15]);
    expect(outcome(await submit(third, { push_modal: SECOND }))).toEqual([503, 'bot_answer_unreadable']);
    expect(outcome(await submit(second))).toEqual(COVERED);
    expect(outcome(await submit(token))).toEqual(COVERED);
    for (const one of [third, second, token]) expect(outcome(await submit(one))).toEqual([200, 'noop']);
  });

  test('a child that is closed or expires frees its parent', async () => {
    const closed = await push(token);
    expect(outcome(await rig.forms.use(closed, 'close'))).toEqual([200, undefined]);
    const expired = await push(token);
    await rig.api.db.query(
      'UPDATE modals SET expires_at = clock_timestamp() WHERE stack_depth = 2 AND used_at IS NULL',
    );
    await rig.api.db.query('UPDATE modals SET child_until = clock_timestamp() WHERE stack_depth = 1');
    expect(outcome(await submit(expired))).toEqual(GONE);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
  });

  test('those beneath live as long as the one on top', async () => {
    await expire('10 minutes');
    const second = await push(token);
    expect(await left()).toEqual([15, 15]);
    const third = await push(second);
    await expire('10 minutes');
    await submit(third, { update_modal: SECOND });
    expect(await left()).toEqual([15, 15, 15]);
    expect(outcome(await submit(token))).toEqual(COVERED);
    expect(outcome(await submit(second))).toEqual(COVERED);
  });

  test('of two submits at once one gets through, also when the form is kept', async () => {
    let answerFirst: () => void = () => undefined;
    const secondRefused = new Promise<void>((resolve) => (answerFirst = resolve));
    rig.receiver.respond(async () => {
      await secondRefused;
      return { status: 200, body: { errors: { reason: 'No.' } } };
    });
    const both = [rig.submit(token), rig.submit(token)];
    expect(outcome(await Promise.race(both))).toEqual(AWAITS);
    answerFirst();
    expect((await Promise.all(both)).map(outcome).sort()).toEqual([[200, 'errors'], AWAITS]);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
  });

  test('they answer submitted modals alone: for a click they are a bad answer', async () => {
    for (const answer of [{ errors: { a: 'b' } }, { update_modal: MODAL }, { push_modal: MODAL }]) {
      rig.answers(answer);
      expect(outcome(await rig.click(message.id, { action_id: 'stage', selected_value: 'live' }))).toEqual([
        503,
        'bot_answer_unreadable',
      ]);
    }
  });

  test.each<[string, unknown]>([
    ['none', {}],
    ['a list', ['a']],
    ['no text', { reason: 7 }],
    ['an empty text', { reason: ' ' }],
    ['over 300 characters', { reason: 'x'.repeat(301) }],
  ])('errors that are %s are a bad answer', async (_name, errors) => {
    expect(outcome(await submit(token, { errors }))).toEqual([503, 'bot_answer_unreadable']);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
  });

  test("another person's token is 403, whatever is done with it", async () => {
    const ben = await rig.fixture.space.person('member', 'Ben');
    const forbidden = [403, 'modal_of_another_person'];
    expect(outcome(await rig.submit(token, {}, { as: ben }))).toEqual(forbidden);
    expect(outcome(await rig.forms.use(token, 'close', {}, { as: ben }))).toEqual(forbidden);
    expect(outcome(await rig.forms.use(token, 'options', { field: 'reason' }, { as: ben }))).toEqual(
      forbidden,
    );
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
  });
});

describe('in poll form', () => {
  let bot: SeededBot;
  let message: SeededMessage;
  let token: string;
  beforeEach(async () => {
    bot = await rig.polling();
    message = await rig.message(bot);
    token = await rig.forms.openedByPolling(bot, message.id, MODAL);
  });

  const queued = async (modalToken: string): Promise<string> => {
    const { body } = await rig.submit(modalToken, { reason: 'x' });
    expect(body.result).toBe('queued');
    return body.interaction_id;
  };
  const about = () => ({
    conversation_id: message.channel,
    message_id: message.id,
    bot_id: bot.id,
    action_id: 'go',
  });
  const answered = (event: string, interaction: string, answer: Fields) =>
    rig.forms.streamed(event, () => rig.respond(bot, interaction, answer));

  test('modal.submit carries private_metadata', async () => {
    await queued(token);
    const [submit] = (await rig.directEvents()).slice(-1);
    expect(submit).toMatchObject({ event_type: 'modal.submit', payload: { private_metadata: 'one' } });
  });

  test('between a submit and its answer another one is 409, then the token is used up', async () => {
    const interaction = await queued(token);
    expect(outcome(await rig.submit(token))).toEqual(AWAITS);
    expect(outcome(await rig.forms.use(token, 'close'))).toEqual(AWAITS);
    await rig.respond(bot, interaction);
    expect(outcome(await rig.submit(token))).toEqual(GONE);
  });

  test('of two submits at once one is queued', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => rig.submit(token)));
    const results = answers.map(({ status }) => status).sort();
    expect(results).toEqual([200, 409, 409, 409, 409]);
  });

  test('an answer that never comes uses it up', async () => {
    await queued(token);
    await rig.api.db.query('UPDATE modals SET awaiting_until = clock_timestamp()');
    expect(outcome(await rig.submit(token))).toEqual(GONE);
  });

  test('errors reach the person by stream, and give the form back', async () => {
    const errors = { reason: 'Too short.' };
    expect(await answered('modal.errors', await queued(token), { errors })).toEqual({
      event: 'modal.errors',
      ...about(),
      errors,
      modal_token: token,
    });
    await rig.respond(bot, await queued(token));
    expect(outcome(await rig.submit(token))).toEqual(GONE);
  });

  test('update_modal too', async () => {
    expect(await answered('modal.update', await queued(token), { update_modal: SECOND })).toEqual({
      event: 'modal.update',
      ...about(),
      modal: SECOND_SHOWN,
      modal_token: token,
    });
    await queued(token);
  });

  test('push_modal too: the one beneath waits, also while the bot has not answered the one on top', async () => {
    const { modal_token: child, ...event } = await answered('modal.push', await queued(token), {
      push_modal: SECOND,
    });
    expect(event).toEqual({ event: 'modal.push', ...about(), modal: SECOND_SHOWN });
    expect(outcome(await rig.submit(token))).toEqual(COVERED);
    const interaction = await queued(child);
    expect(outcome(await rig.submit(token))).toEqual(COVERED);
    await rig.respond(bot, interaction, { noop: true });
    expect(outcome(await rig.submit(child))).toEqual(GONE);
    await queued(token);
  });

  test('a fourth one on top is 400, which uses nothing up', async () => {
    let top = token;
    for (let n = 0; n < 2; n += 1)
      top = (await answered('modal.push', await queued(top), { push_modal: SECOND })).modal_token;
    const interaction = await queued(top);
    expect(refusal(await rig.respond(bot, interaction, { push_modal: SECOND }))).toEqual([
      400,
      'modal_stack_too_deep',
      'push_modal',
    ]);
    expect((await rig.respond(bot, interaction, { errors: { reason: 'No.' } })).status).toBe(200);
    await queued(top);
  });

  test('a modal as in the contract is used up by its submit, and comes back by errors', async () => {
    const loose = await rig.forms.openedByPolling(bot, message.id, { title: 'Loose' });
    const interaction = await queued(loose);
    expect(outcome(await rig.submit(loose))).toEqual(GONE);
    await answered('modal.errors', interaction, { errors: { any: 'No.' } });
    await queued(loose);
  });

  test('for a click they are 400', async () => {
    const { body } = await rig.click(message.id, { action_id: 'stage', selected_value: 'live' });
    for (const [kind, answer] of [
      ['errors', { errors: { a: 'b' } }],
      ['update_modal', { update_modal: MODAL }],
      ['push_modal', { push_modal: MODAL }],
    ] as const)
      expect(refusal(await rig.respond(bot, body.interaction_id, answer))).toEqual([
        400,
        'answer_needs_modal',
        kind,
      ]);
    expect((await rig.respond(bot, body.interaction_id)).status).toBe(200);
  });

  test('only one of the answers is possible, and malformed errors are 400', async () => {
    const interaction = await queued(token);
    expect((await rig.respond(bot, interaction, { errors: { a: 'b' }, noop: true })).body.code).toBe(
      'answer_ambiguous',
    );
    expect(refusal(await rig.respond(bot, interaction, { errors: { a: 7 } }))).toEqual([
      400,
      'invalid_field',
      'errors',
    ]);
  });
});

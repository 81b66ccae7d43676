import { ClientStreamModule } from '@tieline/live-stream';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import { claimModal, closeModal, findModal } from '../modals.queries.js';
import { InteractiveHarness } from '../../testing/index.js';
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

let harness: InteractiveHarness;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [ClientStreamModule]);
});
afterAll(() => harness?.close());

const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body.result];
const refusal = ({ status, body }: TestAnswer) => [status, body.code, body.field];
const expire = (interval: string) =>
  harness.api.db.query(
    `UPDATE modals SET expires_at = expires_at - $1::interval, child_until = child_until - $1::interval`,
    [interval],
  );
const left = async (): Promise<number[]> => {
  const rows = await readRows<{ s: number }>(
    harness.api.db,
    'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 AS s FROM modals ORDER BY stack_depth',
  );
  return rows.map(({ s }) => Math.round(s / 60));
};

describe('in callback mode', () => {
  let message: SeededMessage;
  let token: string;
  beforeEach(async () => {
    await harness.api.db.query('DELETE FROM modals');
    message = await harness.message(await harness.calledBack());
    token = await harness.forms.opened(message.id, MODAL);
  });

  /** Submits the modal; the bot gives this answer. */
  const submit = (modalToken: string, answer: Fields | 200 = 200): Promise<TestAnswer> => {
    if (answer === 200) harness.receiver.respond(200);
    else harness.answers(answer);
    return harness.submit(modalToken, { reason: 'x' });
  };
  const push = async (onto: string): Promise<string> =>
    (await submit(onto, { push_modal: SECOND })).body.modal_token;

  test('submitting again or closing gets 409 until the bot has answered a submission', async () => {
    let answer: () => void = () => undefined;
    const othersRefused = new Promise<void>((resolve) => (answer = resolve));
    harness.receiver.respond(async () => {
      await othersRefused;
      return { status: 200, body: { errors: { reason: 'Too short.' } } };
    });
    const first = harness.submit(token, { reason: 'x' });
    await harness.receiver.waitFor(1);
    const others = await Promise.all(Array.from({ length: 3 }, () => harness.submit(token, { reason: 'x' })));
    expect(others.map(outcome)).toEqual([AWAITS, AWAITS, AWAITS]);
    expect(outcome(await harness.forms.use(token, 'close'))).toEqual(AWAITS);
    answer();
    expect(outcome(await first)).toEqual([200, 'errors']);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
    expect(harness.receiver.requests).toHaveLength(2);
  });

  test('one of several concurrent submissions is processed, and the others get 409', async () => {
    const { answers } = await runInWorkerTx(harness.api.db, async (tx) => {
      await mayIdle(tx);
      await tx.query('SELECT 1 FROM modals FOR UPDATE');
      const five = Array.from({ length: 5 }, () => submit(token));
      await eventually(async () => expect(await harness.api.db.query(WAITING)).toHaveLength(5));
      return { answers: Promise.all(five) };
    });
    const statuses = (await answers).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    expect(harness.receiver.requests).toHaveLength(1);
  });

  test('submissions do not count as clicks', async () => {
    for (let n = 0; n < 31; n += 1)
      expect(outcome(await submit(token, { errors: { reason: 'No.' } }))).toEqual([200, 'errors']);
    expect(outcome(await harness.submit(token, { reason: 7 }))).toEqual([400, 'values_refused']);
  });

  test('errors keep the form open, and it can be submitted again', async () => {
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

  test('errors do not extend the lifetime of the form', async () => {
    await expire('10 minutes');
    await submit(token, { errors: { reason: 'No.' } });
    expect(await left()).toEqual([5]);
    await expire('5 minutes');
    expect(outcome(await submit(token))).toEqual(GONE);
  });

  test('update_modal replaces the form, keeps the token and restarts its lifetime', async () => {
    await expire('10 minutes');
    expect((await submit(token, { update_modal: SECOND })).body).toEqual({
      ok: true,
      result: 'update_modal',
      modal: SECOND_SHOWN,
      modal_token: token,
    });
    expect(await left()).toEqual([15]);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
    expect(harness.asked.at(-1)).toMatchObject({ private_metadata: 'two' });
    expect(outcome(await submit(token))).toEqual(GONE);
  });

  test('after update_modal the rules of the new form apply', async () => {
    const strict = { ...MODAL, fields: [{ id: 'reason', type: 'number', label: 'Reason' }] };
    await submit(token, { update_modal: strict });
    expect((await harness.submit(token, { reason: 'x' })).body.errors).toEqual({
      reason: 'Must be a number.',
    });
    harness.answers({ update_modal: { title: 'Loose' } });
    await harness.submit(token, { reason: 7 });
    expect(outcome(await harness.submit(token, { anything: 'x' }))).toEqual([200, 'update_modal']);
    expect(harness.asked.at(-1).values).toEqual({ anything: 'x' });
  });

  test('push_modal opens a form on top, and the one below cannot be used until that is submitted', async () => {
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
    expect(outcome(await harness.forms.use(token, 'close'))).toEqual(COVERED);
    expect(outcome(await harness.forms.use(token, 'options', { field: 'reason' }))).toEqual(COVERED);
    expect(outcome(await submit(child, { errors: { reason: 'No.' } }))).toEqual([200, 'errors']);
    expect(outcome(await submit(token))).toEqual(COVERED);
    expect(outcome(await submit(child))).toEqual([200, 'noop']);
    expect(harness.asked.at(-1)).toMatchObject({ private_metadata: 'two', action_id: 'go' });
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
    expect(harness.asked.at(-1)).toMatchObject({ private_metadata: 'one' });
  });

  test('a request that read the form before it was covered can neither submit nor close it', async () => {
    const seen = (await findModal(harness.api.db, harness.spaceId, token))!;
    await push(token);
    expect(await claimModal(harness.api.db, seen, 1000)).toBeUndefined();
    expect(await runInWorkerTx(harness.api.db, (tx) => closeModal(tx, seen))).toBeUndefined();
  });

  test('a stack has at most three modals', async () => {
    const second = await push(token);
    const third = await push(second);
    expect(await left()).toEqual([15, 15, 15]);
    expect(outcome(await submit(third, { push_modal: SECOND }))).toEqual([503, 'bot_answer_unreadable']);
    expect(outcome(await submit(second))).toEqual(COVERED);
    expect(outcome(await submit(token))).toEqual(COVERED);
    for (const one of [third, second, token]) expect(outcome(await submit(one))).toEqual([200, 'noop']);
  });

  test('closing or expiry of the top form makes the one below usable', async () => {
    const closed = await push(token);
    expect(outcome(await harness.forms.use(closed, 'close'))).toEqual([200, undefined]);
    const expired = await push(token);
    await harness.api.db.query(
      'UPDATE modals SET expires_at = clock_timestamp() WHERE stack_depth = 2 AND used_at IS NULL',
    );
    await harness.api.db.query('UPDATE modals SET child_until = clock_timestamp() WHERE stack_depth = 1');
    expect(outcome(await submit(expired))).toEqual(GONE);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
  });

  test('the forms below live as long as the top one', async () => {
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

  test('one of two concurrent submissions succeeds, also if the form stays open', async () => {
    let answerFirst: () => void = () => undefined;
    const secondRefused = new Promise<void>((resolve) => (answerFirst = resolve));
    harness.receiver.respond(async () => {
      await secondRefused;
      return { status: 200, body: { errors: { reason: 'No.' } } };
    });
    const both = [harness.submit(token), harness.submit(token)];
    expect(outcome(await Promise.race(both))).toEqual(AWAITS);
    answerFirst();
    expect((await Promise.all(both)).map(outcome).sort()).toEqual([[200, 'errors'], AWAITS]);
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
  });

  test('these answers are invalid for a click', async () => {
    for (const answer of [{ errors: { a: 'b' } }, { update_modal: MODAL }, { push_modal: MODAL }]) {
      harness.answers(answer);
      expect(
        outcome(await harness.click(message.id, { action_id: 'stage', selected_value: 'live' })),
      ).toEqual([503, 'bot_answer_unreadable']);
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

  test("another person's token gets 403 for every action", async () => {
    const ben = await harness.fixture.space.person('member', 'Ben');
    const forbidden = [403, 'modal_of_another_person'];
    expect(outcome(await harness.submit(token, {}, { as: ben }))).toEqual(forbidden);
    expect(outcome(await harness.forms.use(token, 'close', {}, { as: ben }))).toEqual(forbidden);
    expect(outcome(await harness.forms.use(token, 'options', { field: 'reason' }, { as: ben }))).toEqual(
      forbidden,
    );
    expect(outcome(await submit(token))).toEqual([200, 'noop']);
  });
});

describe('in poll mode', () => {
  let bot: SeededBot;
  let message: SeededMessage;
  let token: string;
  beforeEach(async () => {
    bot = await harness.polling();
    message = await harness.message(bot);
    token = await harness.forms.openedByPolling(bot, message.id, MODAL);
  });

  const queued = async (modalToken: string): Promise<string> => {
    const { body } = await harness.submit(modalToken, { reason: 'x' });
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
    harness.forms.streamed(event, () => harness.respond(bot, interaction, answer));

  test('modal.submit carries private_metadata', async () => {
    await queued(token);
    const [submit] = (await harness.directEvents()).slice(-1);
    expect(submit).toMatchObject({ event_type: 'modal.submit', payload: { private_metadata: 'one' } });
  });

  test('a second submission gets 409 before the answer and 410 afterwards', async () => {
    const interaction = await queued(token);
    expect(outcome(await harness.submit(token))).toEqual(AWAITS);
    expect(outcome(await harness.forms.use(token, 'close'))).toEqual(AWAITS);
    await harness.respond(bot, interaction);
    expect(outcome(await harness.submit(token))).toEqual(GONE);
  });

  test('one of two concurrent submissions is queued', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => harness.submit(token)));
    const results = answers.map(({ status }) => status).sort();
    expect(results).toEqual([200, 409, 409, 409, 409]);
  });

  test('the form is used up if the bot never answers', async () => {
    await queued(token);
    await harness.api.db.query('UPDATE modals SET awaiting_until = clock_timestamp()');
    expect(outcome(await harness.submit(token))).toEqual(GONE);
  });

  test('errors reach the person on the stream and reopen the form', async () => {
    const errors = { reason: 'Too short.' };
    expect(await answered('modal.errors', await queued(token), { errors })).toEqual({
      event: 'modal.errors',
      ...about(),
      errors,
      modal_token: token,
    });
    await harness.respond(bot, await queued(token));
    expect(outcome(await harness.submit(token))).toEqual(GONE);
  });

  test('update_modal does too', async () => {
    expect(await answered('modal.update', await queued(token), { update_modal: SECOND })).toEqual({
      event: 'modal.update',
      ...about(),
      modal: SECOND_SHOWN,
      modal_token: token,
    });
    await queued(token);
  });

  test('push_modal does too, and the form below waits until the bot has answered the top one', async () => {
    const { modal_token: child, ...event } = await answered('modal.push', await queued(token), {
      push_modal: SECOND,
    });
    expect(event).toEqual({ event: 'modal.push', ...about(), modal: SECOND_SHOWN });
    expect(outcome(await harness.submit(token))).toEqual(COVERED);
    const interaction = await queued(child);
    expect(outcome(await harness.submit(token))).toEqual(COVERED);
    await harness.respond(bot, interaction, { noop: true });
    expect(outcome(await harness.submit(child))).toEqual(GONE);
    await queued(token);
  });

  test('a fourth modal gets 400 and leaves the interaction open', async () => {
    let top = token;
    for (let n = 0; n < 2; n += 1)
      top = (await answered('modal.push', await queued(top), { push_modal: SECOND })).modal_token;
    const interaction = await queued(top);
    expect(refusal(await harness.respond(bot, interaction, { push_modal: SECOND }))).toEqual([
      400,
      'modal_stack_too_deep',
      'push_modal',
    ]);
    expect((await harness.respond(bot, interaction, { errors: { reason: 'No.' } })).status).toBe(200);
    await queued(top);
  });

  test('a modal without validation is used by its submission and reopened by errors', async () => {
    const loose = await harness.forms.openedByPolling(bot, message.id, { title: 'Loose' });
    const interaction = await queued(loose);
    expect(outcome(await harness.submit(loose))).toEqual(GONE);
    await answered('modal.errors', interaction, { errors: { any: 'No.' } });
    await queued(loose);
  });

  test('these answers get 400 for a click', async () => {
    const { body } = await harness.click(message.id, { action_id: 'stage', selected_value: 'live' });
    for (const [kind, answer] of [
      ['errors', { errors: { a: 'b' } }],
      ['update_modal', { update_modal: MODAL }],
      ['push_modal', { push_modal: MODAL }],
    ] as const)
      expect(refusal(await harness.respond(bot, body.interaction_id, answer))).toEqual([
        400,
        'answer_needs_modal',
        kind,
      ]);
    expect((await harness.respond(bot, body.interaction_id)).status).toBe(200);
  });

  test('more than one answer and malformed errors get 400', async () => {
    const interaction = await queued(token);
    expect((await harness.respond(bot, interaction, { errors: { a: 'b' }, noop: true })).body.code).toBe(
      'answer_ambiguous',
    );
    expect(refusal(await harness.respond(bot, interaction, { errors: { a: 7 } }))).toEqual([
      400,
      'invalid_field',
      'errors',
    ]);
  });
});

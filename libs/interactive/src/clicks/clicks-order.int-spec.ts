import type { TestAnswer } from '@tieline/spaces/testing';
import { tampered } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { BUTTON, InteractiveHarness, SELECT } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

let harness: InteractiveHarness;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(() => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
});
afterAll(() => harness?.close());

const OTHERS_ONLY = { ...SELECT, visibility_user_ids: [uuidv7()] };
const NOTHING = { signed_token: undefined, selected_value: 'nothing' };
const outcome = ({ status, body }: TestAnswer) => [status, body.error ?? body.result];

/**
 * Setup of the cases. Each case breaks its own rule and, where possible, all rules that are checked
 * later.
 */
interface World {
  message: SeededMessage;
  leave(): Promise<unknown>;
  spend(): Promise<unknown>;
  delete(): Promise<unknown>;
  archive(): Promise<unknown>;
  disable(): Promise<unknown>;
}

async function world({
  scope = 'public',
  elements = [BUTTON, OTHERS_ONLY],
}: { scope?: 'public' | 'private'; elements?: object[] } = {}): Promise<World> {
  const bot = await harness.calledBack();
  const channel = await harness.channel(scope, { id: bot.id, type: 'bot' });
  const message = await harness.message(bot, { elements, channel });
  const change = (sql: string, ...params: string[]): Promise<unknown> => harness.api.db.query(sql, params);
  return {
    message,
    leave: () =>
      change(
        'DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2',
        channel,
        harness.person.id,
      ),
    spend: () =>
      Promise.all(Array.from({ length: 30 }, () => harness.click(message.id, { action_id: 'none' }))),
    delete: () =>
      harness.api.call('DELETE', `/api/v1/client/messages/${message.id}`, {
        token: harness.fixture.space.owner.token,
      }),
    archive: () => change('UPDATE conversations SET archived_at = now() WHERE id = $1', channel),
    disable: () => change('UPDATE bots SET is_active = false WHERE id = $1', bot.id),
  };
}

describe('a click with several errors gets the first one', () => {
  test('401 for the token, before the message is looked up', async () => {
    expect(
      outcome(await harness.click(uuidv7(), { as: { id: '', token: 'tlu_nobody' }, ...NOTHING })),
    ).toEqual([401, 'invalid or revoked token']);
  });

  test("403 for a bot's token", async () => {
    const { message } = await world();
    expect((await harness.click(message.id, { as: message.bot })).status).toBe(403);
  });

  test.each([
    ['unknown', uuidv7()],
    ['malformed', 'message'],
  ])('404 for an %s message', async (_, id) => {
    expect((await harness.click(id, { signed_token: 7, action_id: null })).status).toBe(404);
  });

  test('404 for a message of another space', async () => {
    const { message } = await world();
    const stranger = await (await harness.otherSpace()).fixture.space.person('member');
    expect(outcome(await harness.click(message.id, { as: stranger }))).toEqual([404, 'message not found']);
  });

  test('not readable before rate, deletion, archive', async () => {
    const there = await world({ scope: 'private' });
    await there.spend();
    await there.delete();
    await there.archive();
    await there.leave();
    expect(outcome(await harness.click(there.message.id, NOTHING))).toEqual([
      403,
      'no access to the conversation',
    ]);
  });

  test('not a member before rate, deletion, archive', async () => {
    const there = await world();
    await there.spend();
    await there.delete();
    await there.archive();
    await there.leave();
    expect(outcome(await harness.click(there.message.id, NOTHING))).toEqual([
      403,
      'not a member of the conversation',
    ]);
  });

  test('the rate before deletion, archive, action', async () => {
    const there = await world();
    await there.spend();
    await there.delete();
    await there.archive();
    const refused = await harness.click(there.message.id, NOTHING);
    expect(outcome(refused)).toEqual([429, 'rate limit exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  test('deletion before archive, action', async () => {
    const there = await world();
    await there.delete();
    await there.archive();
    expect(outcome(await harness.click(there.message.id, { ...NOTHING, action_id: undefined }))).toEqual([
      410,
      'message deleted',
    ]);
  });

  test('the archive before action, visibility', async () => {
    const there = await world();
    await there.archive();
    expect(outcome(await harness.click(there.message.id, { ...NOTHING, action_id: undefined }))).toEqual([
      403,
      'conversation is archived',
    ]);
    expect(outcome(await harness.click(there.message.id, { ...NOTHING, action_id: 'none' }))).toEqual([
      403,
      'conversation is archived',
    ]);
    expect(outcome(await harness.click(there.message.id, { ...NOTHING, action_id: 'stage' }))).toEqual([
      403,
      'conversation is archived',
    ]);
  });

  test('a missing or unknown action before the token', async () => {
    const there = await world();
    expect(outcome(await harness.click(there.message.id, { ...NOTHING, action_id: 7 }))).toEqual([
      400,
      'action_id must be a string',
    ]);
    expect(outcome(await harness.click(there.message.id, { ...NOTHING, action_id: 'none' }))).toEqual([
      410,
      'action is no longer available',
    ]);
  });

  test('visibility before token, option, delivery', async () => {
    const there = await world();
    await there.disable();
    expect(outcome(await harness.click(there.message.id, { ...NOTHING, action_id: 'stage' }))).toEqual([
      403,
      'action is not for you',
    ]);
  });

  test.each([
    ['no', undefined],
    ['a null', null],
    ['an empty', ''],
    ['no textual', 7, 'signed_token must be a string'],
  ])('%s token before option, delivery', async (_, signed_token, text = 'signed_token is required') => {
    const there = await world({ elements: [SELECT] });
    await there.disable();
    expect(
      outcome(
        await harness.click(there.message.id, {
          action_id: 'stage',
          signed_token,
          selected_value: 'nothing',
        }),
      ),
    ).toEqual([400, text]);
  });

  test('a refused token before option, delivery', async () => {
    const there = await world({ elements: [SELECT] });
    await there.disable();
    const token = await harness.tokenOf(there.message.id, 'stage');
    for (const signed_token of ['x', `${token}x`, tampered(token)]) {
      expect(
        outcome(
          await harness.click(there.message.id, {
            action_id: 'stage',
            signed_token,
            selected_value: 'nothing',
          }),
        ),
      ).toEqual([410, 'signed token expired or invalid']);
    }
  });

  test.each([[undefined], ['nothing'], [7], [''], [['test']]])(
    'a value that is not an option (%j) before delivery',
    async (selected_value) => {
      const there = await world({ elements: [SELECT] });
      await there.disable();
      expect(outcome(await harness.click(there.message.id, { action_id: 'stage', selected_value }))).toEqual([
        400,
        'selected_value is not an option',
      ]);
    },
  );

  test('a duplicate before delivery', async () => {
    const there = await world();
    expect(outcome(await harness.click(there.message.id))).toEqual([200, 'noop']);
    await there.disable();
    expect(outcome(await harness.click(there.message.id))).toEqual([200, 'duplicate']);
  });

  test('delivery last: a disabled bot, a bot without callback, a deleted bot', async () => {
    const there = await world();
    await there.disable();
    expect(outcome(await harness.click(there.message.id))).toEqual([503, 'the bot "Robot" did not answer']);
    const message = await harness.message(await harness.polling());
    await harness.api.db.query(
      `UPDATE bots SET event_delivery_mode = 'webhook', webhook_url = 'https://93.184.215.14/' WHERE id = $1`,
      [message.bot.id],
    );
    expect(outcome(await harness.click(message.id))).toEqual([503, 'the bot "Robot" did not answer']);
    await harness.api.db.query('UPDATE bots SET deleted_at = now() WHERE id = $1', [message.bot.id]);
    expect(outcome(await harness.click(message.id))).toEqual([410, 'action is no longer available']);
    expect(harness.receiver.requests).toEqual([]);
  });
});

test('people named in visibility_user_ids can click, in any letter case of their ids', async () => {
  const { message } = await world({
    elements: [{ ...BUTTON, visibility_user_ids: [harness.person.id.toUpperCase()] }],
  });
  expect(outcome(await harness.click(message.id))).toEqual([200, 'noop']);
});

test('metadata never makes buttons in messages of people and webhooks', async () => {
  const { message } = await world();
  const token = await harness.tokenOf(message.id);
  for (const type of ['user', 'webhook']) {
    await harness.api.db.query('UPDATE messages SET author_type = $2 WHERE id = $1', [message.id, type]);
    expect(outcome(await harness.click(message.id, { signed_token: token }))).toEqual([
      410,
      'action is no longer available',
    ]);
  }
});

describe('tokens', () => {
  test('rotation and DELETE invalidate them, and an edited message needs its current token', async () => {
    const { message } = await world();
    const config = (method: string, path = '') =>
      harness.api.call(method, `/api/v1/bot/interactive_config${path}`, { token: message.bot.token });
    await config('POST', '/rotate_secret');
    expect(outcome(await harness.click(message.id))[0]).toBe(410);
    await harness.api.db.query('UPDATE messages SET metadata_json = $2 WHERE id = $1', [
      message.id,
      await harness.signed(message.bot, [BUTTON]),
    ]);
    expect(outcome(await harness.click(message.id))).toEqual([200, 'noop']);
    await config('DELETE');
    expect(outcome(await harness.click(message.id))[0]).toBe(410);
  });

  test('a token for another action, other data or another bot is invalid', async () => {
    const { message } = await world({ elements: [BUTTON, { ...BUTTON, action_id: 'stop' }] });
    const other = await world({ elements: [{ ...BUTTON, data: 'other' }] });
    for (const signed_token of [
      await harness.tokenOf(message.id, 'stop'),
      await harness.tokenOf(other.message.id),
    ]) {
      expect(outcome(await harness.click(message.id, { signed_token }))[0]).toBe(410);
    }
  });

  test('they expire', async () => {
    const short = await InteractiveHarness.start({ INTERACTIVE_TOKEN_TTL_SECONDS: '1' });
    try {
      const message = await short.message(await short.calledBack());
      const [, expiresAt] = (await short.tokenOf(message.id)).split('.');
      await new Promise((resolve) => setTimeout(resolve, Number(expiresAt) - Date.now() + 5));
      expect(outcome(await short.click(message.id))).toEqual([410, 'signed token expired or invalid']);
    } finally {
      await short.close();
    }
  });
});

describe('rates', () => {
  const count = (answers: TestAnswer[], status: number) =>
    answers.filter((answer) => answer.status === status).length;

  test('30 per minute for one person and message, including refused and repeated clicks', async () => {
    const { message } = await world();
    const broken = await Promise.all(
      Array.from({ length: 10 }, () => harness.click(message.id, { signed_token: 'x' })),
    );
    const answers = await Promise.all(Array.from({ length: 23 }, () => harness.click(message.id)));
    expect([count(broken, 410), count(answers, 200), count(answers, 429)]).toEqual([10, 20, 3]);
    const other = await harness.message(message.bot, { channel: message.channel });
    expect((await harness.click(other.id)).status).toBe(200);
  });

  test('600 per minute for one bot, across all people and messages', async () => {
    const bot = await harness.calledBack();
    const channel = await harness.channel('public', { id: bot.id, type: 'bot' });
    const answers: TestAnswer[] = [];
    for (let n = 0; n < 21; n += 1) {
      const message = await harness.message(bot, { channel });
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 29 }, () =>
            harness.click(message.id, { action_id: 'none', signed_token: 'x' }),
          ),
        )),
      );
    }
    expect([count(answers, 410), count(answers, 429)]).toEqual([600, 9]);
  });
});

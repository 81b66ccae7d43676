import { ClientStreamModule } from '@tieline/live-stream';
import { EventStreamClient, readRows } from '@tieline/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { BUTTON, InteractiveHarness, SELECT } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;
const LONG = 'x'.repeat(4001);

let harness: InteractiveHarness;
let bot: SeededBot;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start({ MODAL_CHAIN_MAX_DEPTH: '2' }, [ClientStreamModule]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  bot = await harness.polling();
  message = await harness.message(bot);
});
afterAll(() => harness?.close());

const eventsOfBot = async () => (await harness.directEvents()).filter(({ bot_id }) => bot_id === bot.id);
const outcome = ({ status, body }: TestAnswer) => [status, body.error ?? body];
/** Clicks. @returns the id of the interaction */
const interaction = async (actionId = 'go'): Promise<string> =>
  (await harness.click(message.id, { action_id: actionId, selected_value: 'live' })).body.interaction_id;
const open = async (): Promise<EventStreamClient> =>
  EventStreamClient.open(`${harness.api.url}/api/v1/client/stream`, harness.person.token);
const about = () => ({ conversation_id: message.channel, message_id: message.id, bot_id: bot.id });

/** Returns the event that the person's stream receives during `work`. */
async function shown(event: string, work: () => Promise<unknown>): Promise<any> {
  const stream = await open();
  try {
    await work();
    await stream.until(({ events }) => events.some((one) => one.event === event));
    return stream.events.find((one) => one.event === event);
  } finally {
    stream.close();
  }
}

describe('respond', () => {
  test.each([
    ['an empty body', undefined],
    ['an empty object', {}],
    ['noop', { noop: true }],
  ])('%s is noop', async (_, body) => {
    expect(outcome(await harness.respond(bot, await interaction(), body))).toEqual([200, { ok: true }]);
  });

  test('ephemeral_text with blocks becomes an ephemeral message on the stream, for `respond` and late answers', async () => {
    const metadata_json = JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [BUTTON] }] });
    const answer = { ephemeral_text: 'Sure?', metadata_json };
    const late = async () => {
      const [{ payload }] = (await eventsOfBot()).slice(-1) as [any];
      return harness.api.call('POST', `/api/v1/bot/responses/${payload.response_token}`, {
        token: bot.token,
        body: answer,
      });
    };
    for (const send of [async () => harness.respond(bot, await interaction(), answer), late]) {
      const event = await shown('ephemeral', send);
      expect(event).toMatchObject({ text: 'Sure?', conversation_id: message.channel, bot_id: bot.id });
      expect(event.message_id).not.toBe(message.id);
      const [{ signed_token }] = JSON.parse(event.metadata_json).blocks[0].elements;
      expect((await harness.click(event.message_id, { signed_token })).body.result).toBe('queued');
    }
  });

  test('editing only the text renews the tokens of the buttons and keeps the rest of the metadata', async () => {
    const elements = [{ ...BUTTON, data: '{"n":1}', visibility_user_ids: [harness.person.id] }, SELECT];
    message = await harness.message(bot, { elements });
    const tokens = () => Promise.all(['go', 'stage'].map((action) => harness.tokenOf(message.id, action)));
    const plain = async () =>
      JSON.stringify((await harness.stored(message.id))?.metadata_json).replaceAll(
        /signed_token\\":\\"[^"]*/g,
        '',
      );
    const [before, metadata] = [await tokens(), await plain()];
    await harness.respond(bot, await interaction('stage'), { update_message: { text: 'Half done' } });
    const after = await tokens();
    expect(after.filter((token) => before.includes(token))).toEqual([]);
    expect(await plain()).toBe(metadata);
    expect((await harness.click(message.id, { signed_token: after[0] })).status).toBe(200);
  });

  test('an update without text and metadata is refused and leaves the interaction open', async () => {
    const id = await interaction();
    for (const update of [{}, { text: null }, { text: null, metadata_json: null }])
      expect((await harness.respond(bot, id, { update_message: update })).body).toMatchObject({
        code: 'invalid_field',
        field: 'update_message',
        error: 'update_message: text or metadata_json is required',
      });
    expect((await harness.respond(bot, id, { noop: true })).status).toBe(200);
  });

  test('update_message and send_message act as the bot', async () => {
    expect(
      outcome(
        await harness.respond(bot, await interaction(), {
          update_message: { text: 'Done', metadata_json: '' },
        }),
      ),
    ).toEqual([200, { ok: true }]);
    expect(await harness.stored(message.id)).toMatchObject({ text: 'Done', metadata_json: null });
    message = await harness.message(bot);
    const { body } = await harness.respond(bot, await interaction(), {
      send_message: {
        text: 'More',
        metadata_json:
          '{"version":1,"blocks":[{"type":"actions","elements":[{"type":"button","action_id":"b","text":"B"}]}]}',
      },
    });
    expect(body).toEqual({ ok: true, message_id: expect.stringMatching(UUID) });
    expect(await harness.stored(body.message_id)).toMatchObject({
      text: 'More',
      conversation_id: message.channel,
      author_id: bot.id,
      author_type: 'bot',
    });
    expect((await harness.click(body.message_id, { action_id: 'b' })).body.result).toBe('queued');
  });

  test("ephemeral_text reaches only the actor's stream", async () => {
    const ben = await harness.fixture.space.person('member', 'Ben');
    const others = await EventStreamClient.open(`${harness.api.url}/api/v1/client/stream`, ben.token);
    const id = await interaction();
    const event = await shown('ephemeral', () => harness.respond(bot, id, { ephemeral_text: 'Only you' }));
    expect(event).toEqual({ event: 'ephemeral', ...about(), text: 'Only you' });
    expect(others.events).toEqual([]);
    others.close();
  });

  test('an error in metadata_json names the field and the place', async () => {
    const id = await interaction();
    const metadata_json = '{"version":1,"blocks":{}}';
    for (const [kind, answer] of Object.entries({
      send_message: { text: 'a', metadata_json },
      update_message: { metadata_json },
    }))
      expect((await harness.respond(bot, id, { [kind]: answer })).body).toEqual({
        ok: false,
        error: 'blocks: must be a list',
        code: 'invalid_field',
        field: `${kind}.metadata_json`,
      });
  });

  test.each([
    ['none of the five', { text: 'a' }],
    ['two of the five', { noop: true, ephemeral_text: 'a' }],
    ['null for one', { open_modal: null }],
    ['noop that is false', { noop: false }],
    ['a text too long', { ephemeral_text: LONG }],
    ['a text that is blank', { send_message: { text: ' ' } }],
    ['a modal that is none', { open_modal: 'a' }],
    [
      'metadata against the schema',
      {
        send_message: {
          text: 'a',
          metadata_json: '{"version":1,"blocks":[{"type":"actions","elements":[{"type":"button"}]}]}',
        },
      },
    ],
  ])('%s gets 400 and uses nothing up', async (_, body) => {
    const id = await interaction();
    expect((await harness.respond(bot, id, body)).status).toBe(400);
    expect((await harness.respond(bot, id, { noop: true })).status).toBe(200);
  });

  test("404 for unknown, malformed and other spaces' ids; 403 for another bot's interaction, which stays open", async () => {
    const id = await interaction();
    const [other, stranger] = [await harness.polling(), await (await harness.otherSpace()).polling()];
    expect((await harness.respond(bot, uuidv7(), {})).status).toBe(404);
    expect((await harness.respond(bot, 'interaction', {})).status).toBe(404);
    expect((await harness.respond(stranger, id, {})).status).toBe(404);
    expect(outcome(await harness.respond(other, id, { text: 'bad as well' }))).toEqual([
      403,
      'interaction of another bot',
    ]);
    expect((await harness.respond(bot, id, {})).status).toBe(200);
  });

  test('410 for answered and expired interactions, even if the answer is invalid', async () => {
    const [id, late] = [await interaction(), await interaction('stage')];
    await harness.respond(bot, id, {});
    expect(outcome(await harness.respond(bot, id, { text: 'bad' }))).toEqual([
      410,
      'interaction already answered',
    ]);
    const [row] = await readRows<{ s: number }>(
      harness.api.db,
      'SELECT extract(epoch FROM expires_at - created_at)::int AS s FROM interactions WHERE id = $1',
      [late],
    );
    expect(row).toEqual({ s: 900 });
    await harness.api.db.query(`UPDATE interactions SET expires_at = now() WHERE id = $1`, [late]);
    expect(outcome(await harness.respond(bot, late, { noop: true }))).toEqual([410, 'interaction expired']);
  });

  test('one of ten concurrent answers succeeds', async () => {
    const id = await interaction();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        harness.respond(bot, id, { send_message: { text: `Answer ${n}` } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 410),
    ]);
    expect(
      await harness.api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [message.channel]),
    ).toHaveLength(2);
  });

  test('403 where the bot may no longer post; the interaction stays open', async () => {
    const id = await interaction();
    await harness.api.call('DELETE', `/api/v1/client/conversations/${message.channel}/members/${bot.id}`, {
      token: harness.person.token,
    });
    expect(outcome(await harness.respond(bot, id, { send_message: { text: 'Hi' } }))).toEqual([
      403,
      'bot not in conversation',
    ]);
    expect((await harness.respond(bot, id, { update_message: { text: 'Hi' } })).status).toBe(200);
  });

  test('410 if the message was deleted since, 403 for send_message in an archived conversation', async () => {
    const [gone, archived] = [await interaction(), await interaction('stage')];
    await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [
      message.channel,
    ]);
    expect(outcome(await harness.respond(bot, archived, { send_message: { text: 'Hi' } }))).toEqual([
      403,
      'conversation is archived',
    ]);
    await harness.api.call('DELETE', `/api/v1/client/messages/${message.id}`, {
      token: harness.fixture.space.owner.token,
    });
    expect(outcome(await harness.respond(bot, gone, { update_message: { text: 'Hi' } }))).toEqual([
      410,
      'message deleted',
    ]);
  });
});

describe('modals in poll mode', () => {
  const MODAL = { title: 'Why?', fields: [{ id: 'why', type: 'text' }] };
  const opened = async (id: string, modal: object = MODAL) =>
    shown('modal.open', async () =>
      expect(outcome(await harness.respond(bot, id, { open_modal: modal }))).toEqual([200, { ok: true }]),
    );

  test("open_modal reaches the actor's stream, and a repeated click opens the modal again", async () => {
    const event = await opened(await interaction());
    expect(event).toEqual({
      event: 'modal.open',
      ...about(),
      action_id: 'go',
      modal: MODAL,
      modal_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect((await harness.click(message.id)).body).toEqual({
      ok: true,
      result: 'open_modal',
      modal: MODAL,
      modal_token: event.modal_token,
    });
  });

  test('a submission is queued with the values and the action that opened the modal, and uses the token', async () => {
    const { modal_token: token } = await opened(await interaction());
    const { body } = await harness.submit(token, { why: 'Because', list: [1] });
    expect(body).toEqual({ ok: true, result: 'queued', interaction_id: expect.stringMatching(UUID) });
    expect((await eventsOfBot()).at(-1)).toMatchObject({
      event_id: body.interaction_id,
      event_type: 'modal.submit',
    });
    expect((await eventsOfBot()).at(-1)!.payload).toEqual({
      event_type: 'modal.submit',
      space_id: harness.spaceId,
      actor_user_id: harness.person.id,
      conversation_id: message.channel,
      message_id: message.id,
      action_id: 'go',
      modal_id: expect.stringMatching(UUID),
      values: { why: 'Because', list: [1] },
      occurred_at: expect.stringMatching(NANO),
      interaction_id: body.interaction_id,
      response_token: expect.stringMatching(/^tlr_/),
      response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
    });
    expect((await harness.submit(token)).status).toBe(410);
  });

  test('a chain of modals longer than MODAL_CHAIN_MAX_DEPTH gets 400, and the interaction stays open', async () => {
    const first = await opened(await interaction());
    const submitted = (await harness.submit(first.modal_token)).body.interaction_id;
    const deeper = await opened(submitted, { title: 'Sure?' });
    expect(deeper).toMatchObject({ action_id: 'go', modal: { title: 'Sure?' } });
    expect(deeper.modal_token).not.toBe(first.modal_token);
    const last = (await harness.submit(deeper.modal_token)).body.interaction_id;
    expect(outcome(await harness.respond(bot, last, { open_modal: MODAL }))).toEqual([
      400,
      'open_modal: at most 2 modals in a chain',
    ]);
    expect((await harness.respond(bot, last, { ephemeral_text: 'Fine' })).status).toBe(200);
  });
});

test('concurrent answers to one interaction use at most two connections while they wait, and one succeeds', async () => {
  const id = await interaction();
  const { answers, waited } = await harness.api.whileRowLocked('interactions', id, () =>
    Array.from({ length: 12 }, (_, n) => harness.respond(bot, id, { send_message: { text: `answer ${n}` } })),
  );
  expect(waited).toBe(2);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

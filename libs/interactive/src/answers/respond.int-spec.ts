import { ClientStreamModule } from '@tieline/conversations';
import { EventStreamClient, readRows } from '@tieline/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { v7 as uuidv7 } from 'uuid';
import { BUTTON, InteractiveRig, SELECT } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;
const LONG = 'x'.repeat(4001);

let rig: InteractiveRig;
let bot: SeededBot;
let message: SeededMessage;
beforeAll(async () => {
  rig = await InteractiveRig.start({ MODAL_CHAIN_MAX_DEPTH: '2' }, [ClientStreamModule]);
});
beforeEach(async () => {
  rig.receiver.requests.length = 0;
  bot = await rig.polling();
  message = await rig.message(bot);
});
afterAll(() => rig?.close());

const eventsOfBot = async () => (await rig.directEvents()).filter(({ bot_id }) => bot_id === bot.id);
const outcome = ({ status, body }: TestAnswer) => [status, body.error ?? body];
/** Clicks. @returns the interaction's id */
const interaction = async (actionId = 'go'): Promise<string> =>
  (await rig.click(message.id, { action_id: actionId, selected_value: 'live' })).body.interaction_id;
const open = async (): Promise<EventStreamClient> =>
  EventStreamClient.open(`${rig.api.url}/api/v1/client/stream`, rig.person.token);
const about = () => ({ conversation_id: message.channel, message_id: message.id, bot_id: bot.id });

/** What the person's stream shows after this. */
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
    expect(outcome(await rig.respond(bot, await interaction(), body))).toEqual([200, { ok: true }]);
  });

  test('ephemeral_text with blocks is an ephemeral message of its own on the stream, here and late', async () => {
    const metadata_json = JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [BUTTON] }] });
    const answer = { ephemeral_text: 'Sure?', metadata_json };
    const late = async () => {
      const [{ payload }] = (await eventsOfBot()).slice(-1) as [any];
      return rig.api.call('POST', `/api/v1/bot/responses/${payload.response_token}`, {
        token: bot.token,
        body: answer,
      });
    };
    for (const send of [async () => rig.respond(bot, await interaction(), answer), late]) {
      const event = await shown('ephemeral', send);
      expect(event).toMatchObject({ text: 'Sure?', conversation_id: message.channel, bot_id: bot.id });
      expect(event.message_id).not.toBe(message.id);
      const [{ signed_token }] = JSON.parse(event.metadata_json).blocks[0].elements;
      expect((await rig.click(event.message_id, { signed_token })).body.result).toBe('queued');
    }
  });

  test('an edit of the text alone renews the tokens of the buttons, and nothing else of the metadata', async () => {
    const elements = [{ ...BUTTON, data: '{"n":1}', visibility_user_ids: [rig.person.id] }, SELECT];
    message = await rig.message(bot, { elements });
    const tokens = () => Promise.all(['go', 'stage'].map((action) => rig.tokenOf(message.id, action)));
    const plain = async () =>
      JSON.stringify((await rig.stored(message.id))?.metadata_json).replaceAll(
        /signed_token\\":\\"[^"]*/g,
        '',
      );
    const [before, metadata] = [await tokens(), await plain()];
    await rig.respond(bot, await interaction('stage'), { update_message: { text: 'Half done' } });
    const after = await tokens();
    expect(after.filter((token) => before.includes(token))).toEqual([]);
    expect(await plain()).toBe(metadata);
    expect((await rig.click(message.id, { signed_token: after[0] })).status).toBe(200);
  });

  test('an update without text and metadata is refused, and uses nothing up', async () => {
    const id = await interaction();
    for (const update of [{}, { text: null }, { text: null, metadata_json: null }])
      expect((await rig.respond(bot, id, { update_message: update })).body).toMatchObject({
        code: 'invalid_field',
        field: 'update_message',
        error: 'update_message: text or metadata_json is required',
      });
    expect((await rig.respond(bot, id, { noop: true })).status).toBe(200);
  });

  test('update_message and send_message act as the bot', async () => {
    expect(
      outcome(
        await rig.respond(bot, await interaction(), { update_message: { text: 'Done', metadata_json: '' } }),
      ),
    ).toEqual([200, { ok: true }]);
    expect(await rig.stored(message.id)).toMatchObject({ text: 'Done', metadata_json: null });
    message = await rig.message(bot);
    const { body } = await rig.respond(bot, await interaction(), {
      send_message: {
        text: 'More',
        metadata_json:
          '{"version":1,"blocks":[{"type":"actions","elements":[{"type":"button","action_id":"b","text":"B"}]}]}',
      },
    });
    expect(body).toEqual({ ok: true, message_id: expect.stringMatching(UUID) });
    expect(await rig.stored(body.message_id)).toMatchObject({
      text: 'More',
      conversation_id: message.channel,
      author_id: bot.id,
      author_type: 'bot',
    });
    expect((await rig.click(body.message_id, { action_id: 'b' })).body.result).toBe('queued');
  });

  test("ephemeral_text reaches the actor's stream and no other's", async () => {
    const ben = await rig.fixture.space.person('member', 'Ben');
    const others = await EventStreamClient.open(`${rig.api.url}/api/v1/client/stream`, ben.token);
    const id = await interaction();
    const event = await shown('ephemeral', () => rig.respond(bot, id, { ephemeral_text: 'Only you' }));
    expect(event).toEqual({ event: 'ephemeral', ...about(), text: 'Only you' });
    expect(others.events).toEqual([]);
    others.close();
  });

  test('what is wrong in metadata_json is said of that field, where it stands', async () => {
    const id = await interaction();
    const metadata_json = '{"version":1,"blocks":{}}';
    for (const [kind, answer] of Object.entries({
      send_message: { text: 'a', metadata_json },
      update_message: { metadata_json },
    }))
      expect((await rig.respond(bot, id, { [kind]: answer })).body).toEqual({
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
  ])('%s is 400 and uses nothing up', async (_, body) => {
    const id = await interaction();
    expect((await rig.respond(bot, id, body)).status).toBe(400);
    expect((await rig.respond(bot, id, { noop: true })).status).toBe(200);
  });

  test("404 unknown, of another space, malformed; 403 another bot's, which uses nothing up", async () => {
    const id = await interaction();
    const [other, stranger] = [await rig.polling(), await (await rig.otherSpace()).polling()];
    expect((await rig.respond(bot, uuidv7(), {})).status).toBe(404);
    expect((await rig.respond(bot, 'interaction', {})).status).toBe(404);
    expect((await rig.respond(stranger, id, {})).status).toBe(404);
    expect(outcome(await rig.respond(other, id, { text: 'bad as well' }))).toEqual([
      403,
      'interaction of another bot',
    ]);
    expect((await rig.respond(bot, id, {})).status).toBe(200);
  });

  test('410 once answered, and once expired; then also for a bad answer', async () => {
    const [id, late] = [await interaction(), await interaction('stage')];
    await rig.respond(bot, id, {});
    expect(outcome(await rig.respond(bot, id, { text: 'bad' }))).toEqual([
      410,
      'interaction already answered',
    ]);
    const [row] = await readRows<{ s: number }>(
      rig.api.db,
      'SELECT extract(epoch FROM expires_at - created_at)::int AS s FROM interactions WHERE id = $1',
      [late],
    );
    expect(row).toEqual({ s: 900 });
    await rig.api.db.query(`UPDATE interactions SET expires_at = now() WHERE id = $1`, [late]);
    expect(outcome(await rig.respond(bot, late, { noop: true }))).toEqual([410, 'interaction expired']);
  });

  test('of ten answers at once one gets through', async () => {
    const id = await interaction();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => rig.respond(bot, id, { send_message: { text: `Answer ${n}` } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 410),
    ]);
    expect(
      await rig.api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [message.channel]),
    ).toHaveLength(2);
  });

  test('403 where the bot may not post any more, which uses nothing up', async () => {
    const id = await interaction();
    await rig.api.call('DELETE', `/api/v1/client/conversations/${message.channel}/members/${bot.id}`, {
      token: rig.person.token,
    });
    expect(outcome(await rig.respond(bot, id, { send_message: { text: 'Hi' } }))).toEqual([
      403,
      'bot not in conversation',
    ]);
    expect((await rig.respond(bot, id, { update_message: { text: 'Hi' } })).status).toBe(200);
  });

  test('410 for a message deleted meanwhile, 403 for send_message once archived', async () => {
    const [gone, archived] = [await interaction(), await interaction('stage')];
    await rig.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [message.channel]);
    expect(outcome(await rig.respond(bot, archived, { send_message: { text: 'Hi' } }))).toEqual([
      403,
      'conversation is archived',
    ]);
    await rig.api.call('DELETE', `/api/v1/client/messages/${message.id}`, {
      token: rig.fixture.space.owner.token,
    });
    expect(outcome(await rig.respond(bot, gone, { update_message: { text: 'Hi' } }))).toEqual([
      410,
      'message deleted',
    ]);
  });
});

describe('modals in poll mode', () => {
  const MODAL = { title: 'Why?', fields: [{ id: 'why', type: 'text' }] };
  const opened = async (id: string, modal: object = MODAL) =>
    shown('modal.open', async () =>
      expect(outcome(await rig.respond(bot, id, { open_modal: modal }))).toEqual([200, { ok: true }]),
    );

  test("open_modal reaches the actor's stream, and a repeated click opens it again", async () => {
    const event = await opened(await interaction());
    expect(event).toEqual({
      event: 'modal.open',
      ...about(),
      action_id: 'go',
      modal: MODAL,
      modal_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect((await rig.click(message.id)).body).toEqual({
      ok: true,
      result: 'open_modal',
      modal: MODAL,
      modal_token: event.modal_token,
    });
  });

  test('a submit is queued with the values and the action that opened the modal, and uses the token up', async () => {
    const { modal_token: token } = await opened(await interaction());
    const { body } = await rig.submit(token, { why: 'Because', list: [1] });
    expect(body).toEqual({ ok: true, result: 'queued', interaction_id: expect.stringMatching(UUID) });
    expect((await eventsOfBot()).at(-1)).toMatchObject({
      event_id: body.interaction_id,
      event_type: 'modal.submit',
    });
    expect((await eventsOfBot()).at(-1)!.payload).toEqual({
      event_type: 'modal.submit',
      space_id: rig.spaceId,
      actor_user_id: rig.person.id,
      conversation_id: message.channel,
      message_id: message.id,
      action_id: 'go',
      values: { why: 'Because', list: [1] },
      occurred_at: expect.stringMatching(NANO),
      interaction_id: body.interaction_id,
      response_token: expect.stringMatching(/^tlr_/),
      response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
    });
    expect((await rig.submit(token)).status).toBe(410);
  });

  test('a chain is as long as MODAL_CHAIN_MAX_DEPTH; past it 400, which uses nothing up', async () => {
    const first = await opened(await interaction());
    const submitted = (await rig.submit(first.modal_token)).body.interaction_id;
    const deeper = await opened(submitted, { title: 'Sure?' });
    expect(deeper).toMatchObject({ action_id: 'go', modal: { title: 'Sure?' } });
    expect(deeper.modal_token).not.toBe(first.modal_token);
    const last = (await rig.submit(deeper.modal_token)).body.interaction_id;
    expect(outcome(await rig.respond(bot, last, { open_modal: MODAL }))).toEqual([
      400,
      'open_modal: at most 2 modals in a chain',
    ]);
    expect((await rig.respond(bot, last, { ephemeral_text: 'Fine' })).status).toBe(200);
  });
});

test('answers to one interaction at once hold two connections while they wait for it; one of them counts', async () => {
  const id = await interaction();
  const { answers, waited } = await rig.api.whileRowLocked('interactions', id, () =>
    Array.from({ length: 12 }, (_, n) => rig.respond(bot, id, { send_message: { text: `answer ${n}` } })),
  );
  expect(waited).toBe(2);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

import { verifyVersioned } from '@tieline/signing';
import type { ReceiverAnswer } from '@tieline/testing';
import { eventually, readRows } from '@tieline/testing';
import { InteractiveHarness } from '../testing/index.js';
import type { CalledBack, SeededMessage } from '../testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;
const SECRET_URL = /127\.0\.0\.1|clicks/;

let harness: InteractiveHarness;
let bot: CalledBack;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  bot = await harness.calledBack();
  message = await harness.message(bot);
});
afterAll(() => harness?.close());

test('the bot gets the canonical payload, signed with the signing secret for buttons', async () => {
  expect(await harness.click(message.id)).toMatchObject({ status: 200, body: { ok: true, result: 'noop' } });
  const [request] = harness.receiver.requests;
  expect(JSON.parse(request!.body.toString())).toEqual({
    event_type: 'button.click',
    space_id: harness.spaceId,
    actor_user_id: harness.person.id,
    conversation_id: message.channel,
    message_id: message.id,
    action_id: 'go',
    trigger_id: expect.stringMatching(/^tlt_/),
    data: '{"build":4711}',
    occurred_at: expect.stringMatching(NANO),
    response_token: expect.stringMatching(/^tlr_/),
    response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
  });
  expect(request).toMatchObject({
    method: 'POST',
    url: '/clicks',
    headers: {
      'content-type': 'application/json',
      'x-service-event': 'button.click',
      'x-service-delivery-id': expect.stringMatching(UUID),
      'x-service-webhook-version': '1',
    },
  });
  expect(
    verifyVersioned(
      bot.secret,
      String(request!.headers['x-service-timestamp']),
      request!.body,
      String(request!.headers['x-service-signature']),
    ),
  ).toBe(true);
});

test('a selection has the chosen value and empty data', async () => {
  await harness.click(message.id, { action_id: 'stage', selected_value: 'live' });
  expect(harness.asked).toEqual([
    expect.objectContaining({
      event_type: 'select.submit',
      action_id: 'stage',
      data: '',
      selected_value: 'live',
    }),
  ]);
  expect(harness.receiver.requests[0]!.headers['x-service-event']).toBe('select.submit');
});

test('a click in a thread names the root message', async () => {
  const reply = await harness.message(bot, { channel: message.channel, parentMessageId: message.id });
  await harness.click(reply.id);
  const { conversation_id: thread } = (await harness.stored(reply.id))!;
  expect(harness.asked).toEqual([
    expect.objectContaining({ message_id: reply.id, conversation_id: thread, thread_id: message.id }),
  ]);
  expect(thread).not.toBe(message.channel);
});

test.each([
  ['no body', 200],
  ['204', 204],
  ['white space', { status: 200, body: ' \n' }],
  ['an empty object', { status: 200, body: '{}' }],
  ['noop', { status: 200, body: { noop: true, update_message: null } }],
] satisfies [string, ReceiverAnswer][])('%s shows nothing', async (_, answer) => {
  harness.receiver.respond(answer);
  expect((await harness.click(message.id)).body).toEqual({ ok: true, result: 'noop' });
});

test('update_message edits as the bot and keeps absent fields', async () => {
  harness.answers({ update_message: { text: 'Deployed' } });
  const withoutTokens = (stored: any) => stored.metadata_json.replaceAll(/"signed_token":"[^"]*"/g, '');
  const before = await harness.stored(message.id);
  expect((await harness.click(message.id)).body).toEqual({
    ok: true,
    result: 'update_message',
    message_id: message.id,
  });
  const after = await harness.stored(message.id);
  expect(withoutTokens(after)).toBe(withoutTokens(before));
  expect(after).toMatchObject({
    text: 'Deployed',
    edited_at: expect.any(Date),
    author_id: bot.id,
  });
  expect((await harness.fixture.chat.events()).at(-1)).toMatchObject({
    type: 'MESSAGE_UPDATED',
    payload: { actor_id: bot.id, actor_type: 'bot', data: { changes: expect.arrayContaining(['text']) } },
  });
});

/**
 * Returns an ephemeral answer with one button for everyone and one that is hidden from the person
 * who clicked.
 */
const withBlocks = () => ({
  ephemeral_text: 'Sure?',
  metadata_json: JSON.stringify({
    version: 1,
    blocks: [
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'yes', text: 'Yes', data: 'y' },
          {
            type: 'button',
            action_id: 'no',
            text: 'No',
            visibility_user_ids: [harness.fixture.space.owner.id],
          },
        ],
      },
    ],
  }),
});

test('an ephemeral answer can have blocks whose visible buttons only work for that person', async () => {
  harness.answers(withBlocks());
  const { body } = await harness.click(message.id);
  expect(body).toMatchObject({
    result: 'ephemeral',
    ephemeral_text: 'Sure?',
    message_id: expect.any(String),
  });
  expect(body.message_id).not.toBe(message.id);
  const { elements } = JSON.parse(body.metadata_json).blocks[0];
  expect(elements).toEqual([
    { type: 'button', action_id: 'yes', text: 'Yes', data: 'y', signed_token: expect.any(String) },
  ]);
  harness.answers({ update_message: { text: 'Done', metadata_json: '' } });
  const clicked = { action_id: 'yes', signed_token: elements[0].signed_token };
  expect((await harness.click(body.message_id, { ...clicked, as: harness.fixture.space.owner })).status).toBe(
    404,
  );
  expect((await harness.click(body.message_id, clicked)).body).toMatchObject({
    result: 'update_message',
    message_id: body.message_id,
  });
  expect(harness.asked.at(-1)).toMatchObject({ message_id: body.message_id, action_id: 'yes', data: 'y' });
});

test('invalid blocks in an ephemeral answer make the answer invalid', async () => {
  harness.answers({ ephemeral_text: 'Sure?', metadata_json: '{"blocks":{}}' });
  expect((await harness.click(message.id)).body.code).toBe('bot_answer_unreadable');
});

test('metadata_json "" removes the blocks and keeps the text', async () => {
  harness.answers({ update_message: { metadata_json: '' } });
  await harness.click(message.id);
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Deploy?', metadata_json: null });
});

test('new blocks are validated, signed and clickable', async () => {
  const blocks = {
    version: 1,
    blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'undo', text: 'Undo' }] }],
  };
  harness.answers({ update_message: { text: 'Deployed', metadata_json: JSON.stringify(blocks) } });
  await harness.click(message.id);
  expect(await harness.click(message.id, { action_id: 'undo' })).toMatchObject({
    status: 200,
    body: { result: 'update_message' },
  });
  expect(harness.asked.at(-1)).toMatchObject({ action_id: 'undo', data: '' });
});

test('send_message posts in the conversation or thread of the clicked message', async () => {
  const reply = await harness.message(bot, { channel: message.channel, parentMessageId: message.id });
  harness.answers({ send_message: { text: 'On its way' } });
  const [top, inThread] = [await harness.click(message.id), await harness.click(reply.id)];
  expect(top.body).toEqual({ ok: true, result: 'send_message', message_id: expect.stringMatching(UUID) });
  expect(await harness.stored(top.body.message_id)).toMatchObject({
    text: 'On its way',
    author_id: bot.id,
    author_type: 'bot',
    conversation_id: message.channel,
    thread_id: null,
  });
  expect(await harness.stored(inThread.body.message_id)).toMatchObject({
    conversation_id: (await harness.stored(reply.id))!.conversation_id,
    thread_id: message.id,
  });
});

test('ephemeral_text is in the response and is not stored', async () => {
  harness.answers({ ephemeral_text: 'Only you 🚀' });
  expect((await harness.click(message.id)).body).toEqual({
    ok: true,
    result: 'ephemeral',
    ephemeral_text: 'Only you 🚀',
  });
  expect(
    await harness.api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [message.channel]),
  ).toHaveLength(1);
});

test('open_modal is passed on unchanged, with a token whose hash is stored', async () => {
  const modal = { title: 'Why?', fields: [{ id: 'why', type: 'hologram', label: 1 }], anything: null };
  harness.answers({ open_modal: modal });
  const { body } = await harness.click(message.id);
  expect(body).toEqual({
    ok: true,
    result: 'open_modal',
    modal,
    modal_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  });
  const [row] = await readRows<object>(harness.api.db, 'SELECT * FROM modals WHERE message_id = $1', [
    message.id,
  ]);
  expect(JSON.stringify(row)).not.toContain(body.modal_token);
});

const LONG = 'x'.repeat(4001);
test.each([
  ['a 500', 500],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
  ['silence', 'hang'],
  ['a cut connection', 'reset'],
  ['no JSON', { body: 'fine' }],
  ['a list', { body: '[]' }],
  ['none of the five', { body: { text: 'Hi' } }],
  ['null in one of the five fields', { body: { noop: null } }],
  ['two of the five', { body: { noop: true, ephemeral_text: 'Hi' } }],
  ['noop that is false', { body: { noop: false } }],
  ['an empty text', { body: { ephemeral_text: '' } }],
  ['a text that is none', { body: { ephemeral_text: 7 } }],
  ['a text too long', { body: { send_message: { text: LONG } } }],
  ['a message without text', { body: { send_message: {} } }],
  ['an update that is not an object', { body: { update_message: 'Hi' } }],
  ['an update to nothing', { body: { update_message: { text: ' ' } } }],
  ['an update too long', { body: { update_message: { text: LONG } } }],
  ['metadata that is no text', { body: { update_message: { metadata_json: {} } } }],
  ['metadata that is no JSON', { body: { send_message: { text: 'a', metadata_json: '{' } } }],
  [
    'metadata against the schema',
    {
      body: {
        update_message: { metadata_json: '{"version":2,"blocks":[{"type":"actions","elements":[]}]}' },
      },
    },
  ],
  ['a modal that is not an object', { body: { open_modal: ['a'] } }],
  ['NUL characters', { body: { ephemeral_text: 'a\0' } }],
  ['nesting without end', { body: `{"open_modal":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}` }],
] satisfies [string, ReceiverAnswer][])(
  '%s gets 503 and changes nothing, and the click can be sent again immediately',
  async (_, answer) => {
    harness.receiver.respond(answer);
    const silent = answer === 'hang' ? { callbackMs: 500 } : {};
    const failed = await harness.timeouts.during(silent, () => harness.click(message.id));
    expect(failed).toMatchObject({
      status: 503,
      body: { ok: false, error: expect.not.stringMatching(SECRET_URL) },
    });
    expect(await harness.stored(message.id)).toMatchObject({ text: 'Deploy?', edited_at: null });
    harness.answers({ ephemeral_text: 'Now' });
    expect((await harness.click(message.id)).body).toEqual({
      ok: true,
      result: 'ephemeral',
      ephemeral_text: 'Now',
    });
    expect(
      await harness.api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [message.channel]),
    ).toHaveLength(1);
  },
);

test('a bot removed from the conversation can edit its message but not post', async () => {
  expect(
    await harness.api.call('DELETE', `/api/v1/client/conversations/${message.channel}/members/${bot.id}`, {
      token: harness.person.token,
    }),
  ).toMatchObject({ status: 200 });
  harness.answers({ send_message: { text: 'Hi' } });
  expect((await harness.click(message.id)).status).toBe(503);
  harness.answers({ update_message: { text: 'Done' } });
  expect((await harness.click(message.id)).body).toMatchObject({ result: 'update_message' });
});

test.each(['OK', '<html></html>', '{"ok":true}', '"OK"', 'null', '[]'])(
  'the answer %s is reported as unreadable, not as missing, and without Retry-After (wee-slack#369)',
  async (body) => {
    harness.receiver.respond({ status: 200, headers: { 'content-type': 'text/plain' }, body });
    const refused = await harness.click(message.id);
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: 'the bot "Robot" sent an answer that Tieline could not read',
        code: 'bot_answer_unreadable',
      },
    });
    expect(refused.headers.get('retry-after')).toBeNull();
  },
);

test('admins see the results of clicks and modals, and the error names the bot that did not answer', async () => {
  harness.answers({ open_modal: { title: 'Deploy' } });
  const { body } = await harness.click(message.id);
  harness.answers({ send_message: {} });
  expect(await harness.submit(body.modal_token)).toMatchObject({
    status: 503,
    body: {
      error: 'the bot "Robot" sent an answer that Tieline could not read',
      code: 'bot_answer_unreadable',
    },
  });
  harness.receiver.respond(500);
  const silent = await harness.click(message.id, { action_id: 'stage', selected_value: 'live' });
  expect(silent.body).toMatchObject({ error: 'the bot "Robot" did not answer', code: 'bot_did_not_answer' });
  await eventually(async () => {
    const { callbacks } = (await harness.fixture.admin('GET', `/bots/${bot.id}/callbacks`)).body;
    expect(callbacks).toMatchObject([
      { kind: 'click', status_code: 500, error: null },
      { kind: 'submit', status_code: 200, error: expect.stringMatching(/./) },
      { kind: 'click', status_code: 200, error: null, target: `${harness.receiver.url}/clicks` },
    ]);
  });
});

test('an answer the bot is not allowed to give is a failure that admins can see', async () => {
  await harness.api.call('DELETE', `/api/v1/client/conversations/${message.channel}/members/${bot.id}`, {
    token: harness.person.token,
  });
  harness.answers({ send_message: { text: 'Done' } });
  expect((await harness.click(message.id)).status).toBe(503);
  await eventually(async () => {
    const failed = await harness.fixture.admin('GET', `/bots/${bot.id}/callbacks?filter=failed`);
    expect(failed.body.callbacks).toMatchObject([{ status_code: 200, error: 'bot not in conversation' }]);
  });
});

test('clicks whose answers go to one conversation use at most two connections while they wait for it', async () => {
  harness.answers({ send_message: { text: 'done' } });
  const messages = await Promise.all(
    Array.from({ length: 12 }, () => harness.message(bot, { channel: message.channel })),
  );
  const { answers, waited } = await harness.api.whileRowLocked('conversations', message.channel, () =>
    messages.map(({ id }) => harness.click(id)),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ body }) => body.result)).toEqual(Array(12).fill('send_message'));
});

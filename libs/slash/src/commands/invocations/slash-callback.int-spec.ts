import { InteractiveModule } from '@tieline/interactive';
import { Metrics } from '@tieline/platform/observability';
import { verifyVersioned } from '@tieline/signing';
import type { ReceiverAnswer } from '@tieline/testing';
import { eventually, readRows } from '@tieline/testing';
import { SlashHarness } from '../../testing/index.js';
import type { SeededCommand } from '../../testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [InteractiveModule]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  command = await harness.command();
  channel = await harness.channel();
});
afterAll(() => harness?.close());

const invoke = (text = `/${command.name}`, more: Parameters<SlashHarness['invoke']>[2] = {}) =>
  harness.invoke(channel, text, more);

/** Reads from the table whether a trigger is used. */
async function isUsed(triggerId: string): Promise<boolean> {
  const [row] = await readRows<{ used: boolean }>(
    harness.api.db,
    'SELECT used_at IS NOT NULL AS used FROM slash_triggers WHERE id = $1',
    [triggerId],
  );
  if (!row) throw new Error('no such trigger');
  return row.used;
}

test("the bot gets the invocation, signed with the command's secret", async () => {
  const text = `/${command.name} api  v1.4.2 `;
  const { status, body } = await invoke(text);
  expect([status, body]).toEqual([
    200,
    { ok: true, result: 'ack', text: expect.any(String), trigger_id: expect.stringMatching(UUID) },
  ]);
  const [request] = harness.receiver.requests;
  expect(JSON.parse(request!.body.toString())).toEqual({
    trigger_id: body.trigger_id,
    command: command.name,
    command_id: command.id,
    space_id: harness.fixture.space.spaceId,
    conversation_id: channel,
    user_id: harness.person.id,
    text: 'api  v1.4.2 ',
    raw_text: text,
    invoked_at: expect.stringMatching(NANO),
    response_token: expect.stringMatching(/^tlr_/),
    response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
  });
  expect(request).toMatchObject({
    method: 'POST',
    url: '/slash',
    headers: {
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Tieline\//),
      'x-service-delivery-id': body.trigger_id,
      'x-service-trigger-id': body.trigger_id,
      'x-service-command': command.name,
      'x-service-event': 'slash_command',
      'x-service-webhook-version': '1',
    },
  });
  const timestamp = String(request!.headers['x-service-timestamp']);
  expect(
    verifyVersioned(
      command.secret,
      timestamp,
      request!.body,
      String(request!.headers['x-service-signature']),
    ),
  ).toBe(true);
});

test.each([
  ['no body', 200],
  ['204', 204],
  ['white space', { status: 200, body: ' \n' }],
  ['an empty object', { status: 200, body: '{}' }],
] satisfies [string, ReceiverAnswer][])('%s: the answer comes later', async (_, answer) => {
  harness.receiver.respond(answer);
  const { body } = await invoke();
  expect(body).toMatchObject({ result: 'ack', text: expect.stringMatching(/./) });
  expect(await isUsed(body.trigger_id)).toBe(false);
  expect(await harness.messages(channel)).toEqual([]);
});

test.each([
  ['text/plain', 'Deploy started', 'Deploy started'],
  ['text/plain; charset=utf-8', '"Готово" 🚀', '"Готово" 🚀'],
  ['text/plain', `${'x'.repeat(3999)}😀`, `${'x'.repeat(3999)}😀`],
  ['text/plain', '{"text":"JSON all the same"}', 'JSON all the same'],
])('wee-slack#369: a plain text is shown to the person alone (%s, %s)', async (type, body, text) => {
  harness.receiver.respond({ status: 200, headers: { 'content-type': type }, body });
  const answer = (await invoke()).body;
  expect(answer).toMatchObject({ result: 'ephemeral', text });
  expect(await isUsed(answer.trigger_id)).toBe(true);
});

test.each([
  ['text/html', '<html></html>'],
  ['application/json', '"OK"'],
  ['application/json', 'null'],
  ['application/json', '{"ok":true}'],
  ['text/plain', 'x'.repeat(4001)],
])('an invalid answer (%s, %s) is reported as unreadable, without suggesting a retry', async (type, body) => {
  harness.receiver.respond({ status: 200, headers: { 'content-type': type }, body });
  const answer = (await invoke()).body;
  expect(answer).toMatchObject({
    result: 'ephemeral',
    text: 'Robot sent an answer that Tieline could not read.',
  });
  expect(await isUsed(answer.trigger_id)).toBe(false);
});

test.each([
  ['by default', {}],
  ['when told so', { response_type: 'ephemeral' }],
  ['with null for the type', { response_type: null, attachments: [1] }],
])('a text is for the person alone %s, and uses the trigger up', async (_, more) => {
  harness.receiver.respond({ status: 200, body: { text: 'Deployed 🚀', ...more } });
  const { status, body } = await invoke();
  expect([status, body]).toEqual([
    200,
    { ok: true, result: 'ephemeral', text: 'Deployed 🚀', trigger_id: expect.any(String) },
  ]);
  expect(await isUsed(body.trigger_id)).toBe(true);
  expect(await harness.messages(channel)).toEqual([]);
});

test('an in_channel answer can have metadata with working buttons', async () => {
  const metadata_json = JSON.stringify({
    version: 1,
    blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Go' }] }],
  });
  const answer = { response_type: 'in_channel', text: 'Deployed', metadata_json };
  harness.receiver.respond({ status: 200, body: answer });
  // Clicks could not be delivered to the bot yet.
  expect((await invoke()).body).toMatchObject({
    result: 'ephemeral',
    text: 'Robot sent an answer that Tieline could not read.',
  });
  expect(await harness.messages(channel)).toEqual([]);
  await harness.api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: command.bot.token,
    body: { callback_url: `${harness.receiver.url}/clicks` },
  });
  const { body } = await invoke();
  expect(body).toMatchObject({ result: 'in_channel', text: 'Deployed' });
  const [message] = await harness.messages(channel);
  expect(message!.metadata_json).toContain('signed_token');
});

test('an ephemeral answer can have metadata with buttons that work for the person', async () => {
  await harness.api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: command.bot.token,
    body: { callback_url: `${harness.receiver.url}/clicks` },
  });
  const blocks = [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Go' }] }];
  const metadata_json = JSON.stringify({ version: 1, blocks });
  harness.receiver.respond({ status: 200, body: { text: 'Deploy?', metadata_json } });
  const { body } = await invoke();
  expect(body).toMatchObject({
    result: 'ephemeral',
    text: 'Deploy?',
    message_id: expect.stringMatching(UUID),
  });
  expect(await harness.messages(channel)).toEqual([]);
  const [{ signed_token }] = JSON.parse(body.metadata_json).blocks[0].elements;
  harness.receiver.respond({ status: 200, body: { ephemeral_text: 'Deployed' } });
  const clicked = await harness.api.call('POST', `/api/v1/client/messages/${body.message_id}/interactions`, {
    token: harness.person.token,
    body: { action_id: 'go', signed_token },
  });
  expect(clicked.body).toMatchObject({ result: 'ephemeral', ephemeral_text: 'Deployed' });
});

test.each(['{', '[]', '{"blocks":{}}', 7])(
  'metadata_json of %j makes the answer invalid',
  async (metadata_json) => {
    harness.receiver.respond({
      status: 200,
      body: { response_type: 'in_channel', text: 'Deployed', metadata_json },
    });
    expect((await invoke()).body.text).toBe('Robot sent an answer that Tieline could not read.');
    expect(await harness.messages(channel)).toEqual([]);
  },
);

test('an in_channel answer is posted as the bot without membership', async () => {
  harness.receiver.respond({ status: 200, body: { response_type: 'in_channel', text: 'Deployed' } });
  const { body } = await invoke();
  expect(body).toEqual({
    ok: true,
    result: 'in_channel',
    text: 'Deployed',
    message_id: expect.stringMatching(UUID),
    trigger_id: expect.any(String),
  });
  expect(await harness.messages(channel)).toEqual([
    expect.objectContaining({
      id: body.message_id,
      text: 'Deployed',
      author_id: command.bot.id,
      author_type: 'bot',
    }),
  ]);
  expect(await isUsed(body.trigger_id)).toBe(true);
});

test('4000 characters are a text; a lone surrogate becomes U+FFFD', async () => {
  harness.receiver.respond({ status: 200, body: { response_type: 'in_channel', text: '😀'.repeat(4000) } });
  expect((await invoke()).body.result).toBe('in_channel');
  harness.receiver.respond({ status: 200, body: '{"text":"a\\ud800b"}' });
  expect((await invoke()).body).toMatchObject({ result: 'ephemeral', text: 'a\uFFFDb' });
});

test.each([
  ['no JSON', { status: 200, body: 'done' }],
  ['a list', { status: 200, body: '[]' }],
  ['null', { status: 200, body: 'null' }],
  ['no text', { status: 200, body: { response_type: 'in_channel' } }],
  ['a type alone', { status: 200, body: { response_type: 'ephemeral' } }],
  ['an empty text', { status: 200, body: { text: '' } }],
  ['a blank text', { status: 200, body: { response_type: 'in_channel', text: ' \n' } }],
  ['a text that is a number', { status: 200, body: { text: 5 } }],
  ['4001 characters', { status: 200, body: { text: 'x'.repeat(4001) } }],
  ['a NUL', { status: 200, body: '{"response_type":"in_channel","text":"a\\u0000"}' }],
  ['another type', { status: 200, body: { response_type: 'loud', text: 'x' } }],
  ['a 500', 500],
  ['a 404', 404],
  ['a redirect', { status: 302, headers: { location: 'https://example.com/' } }],
  ['a cut connection', 'reset'],
  ['no answer', 'hang'],
  ['a dripping answer', { drip: { everyMs: 40 } }],
] satisfies [string, ReceiverAnswer][])(
  '%s is a failure: the person gets a text without an address, and the trigger stays valid',
  async (_, answer) => {
    harness.receiver.respond(answer);
    const isEndless = answer === 'hang' || (typeof answer === 'object' && 'drip' in answer);
    const { status, body } = await harness.timeouts.during(isEndless ? { callbackMs: 3000 } : {}, () =>
      invoke(),
    );
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        result: 'ephemeral',
        text: expect.stringMatching(/^[A-Za-z .]{10,120}$/),
        trigger_id: expect.any(String),
      },
    ]);
    expect(body.text).not.toMatch(/127|http|slash/);
    expect(await isUsed(body.trigger_id)).toBe(false);
    expect(await harness.messages(channel)).toEqual([]);
    // A connection that breaks while it is used again is replaced and the request sent again, under
    // the same delivery id.
    expect(new Set(harness.receiver.requests.map(({ headers }) => headers['x-service-delivery-id']))).toEqual(
      new Set([body.trigger_id]),
    );
  },
);

test('an address that the policy forbids at the time of the invocation is not called', async () => {
  await harness.api.db.query('UPDATE slash_commands SET callback_url = $2 WHERE id = $1', [
    command.id,
    `http://10.0.0.1:1/`,
  ]);
  expect((await invoke()).body.result).toBe('ephemeral');
});

test('a bot that stopped polling and has no address is a failure', async () => {
  const polled = await harness.polledCommand();
  expect(
    (
      await harness.api.call('PATCH', '/api/v1/bot/me', {
        token: polled.bot.token,
        body: { event_delivery_mode: 'none' },
      })
    ).status,
  ).toBe(200);
  expect((await invoke(`/${polled.name}`)).body).toMatchObject({
    result: 'ephemeral',
    trigger_id: expect.any(String),
  });
});

test('an answer to a conversation archived since is refused, and the trigger stays valid', async () => {
  harness.receiver.respond(async () => {
    await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    return { status: 200, body: { response_type: 'in_channel', text: 'too late' } };
  });
  expect(await invoke()).toMatchObject({
    status: 403,
    body: { ok: false, error: 'conversation is archived' },
  });
  const [row] = await harness.api.db.query('SELECT used_at FROM slash_triggers WHERE conversation_id = $1', [
    channel,
  ]);
  expect(row).toEqual({ used_at: null });
});

test('a bot disabled since posts nothing', async () => {
  harness.receiver.respond(async () => {
    await harness.fixture.admin('PATCH', `/bots/${command.bot.id}`, { is_active: false });
    return { status: 200, body: { response_type: 'in_channel', text: 'still here' } };
  });
  expect((await invoke()).body.result).toBe('ephemeral');
  expect(await harness.messages(channel)).toEqual([]);
});

test('metrics count commands by outcome and time callbacks', async () => {
  const counted = async (): Promise<string> => harness.api.app.get(Metrics).text();
  const failures = async (): Promise<number> =>
    Number(/tieline_slash_commands_total{outcome="failed"} (\d+)/.exec(await counted())?.[1] ?? 0);
  const before = await failures();
  harness.receiver.respond(500);
  await invoke();
  expect(await failures()).toBe(before + 1);
  expect(await counted()).toMatch(
    /tieline_callback_duration_seconds_count{event="slash_command",outcome="status"} [1-9]/,
  );
});

describe('in a thread', () => {
  const person = () => ({ id: harness.person.id, type: 'user' as const });
  const inChannel = () =>
    harness.receiver.respond({ status: 200, body: { response_type: 'in_channel', text: 'answer' } });
  const sent = () => JSON.parse(harness.receiver.requests.at(-1)!.body.toString()) as Record<string, unknown>;

  test('the answer is posted there, even as the first reply, and the payload names the root message', async () => {
    inChannel();
    const root = (await harness.fixture.chat.post(channel, person(), 'root')).messageId;
    const { body } = await invoke(undefined, { thread_id: root.toUpperCase() });
    expect(sent()).toMatchObject({ conversation_id: channel, thread_id: root });
    expect(await harness.messages(channel, root)).toEqual([
      expect.objectContaining({ id: body.message_id, thread_id: root, parent_message_id: root }),
    ]);
    const again = await invoke(undefined, { thread_id: body.message_id });
    expect(sent()).toMatchObject({ conversation_id: channel, thread_id: root });
    expect((await harness.messages(channel, root)).map(({ id }) => id)).toEqual([
      body.message_id,
      again.body.message_id,
    ]);
  });

  test("a command in the thread's own conversation runs in the thread", async () => {
    inChannel();
    const root = (await harness.fixture.chat.post(channel, person(), 'root')).messageId;
    const reply = await harness.fixture.chat.post(channel, person(), 'reply', { parentMessageId: root });
    const { body } = await harness.invoke(reply.conversationId, `/${command.name}`);
    expect(sent()).toMatchObject({ conversation_id: reply.conversationId, thread_id: root });
    expect((await harness.messages(channel, root)).at(-1)).toMatchObject({
      id: body.message_id,
      thread_id: root,
    });
  });

  test.each([
    ['null', null],
    ['empty', ''],
  ])('a thread_id that is %s is none', async (_, thread_id) => {
    expect((await invoke(undefined, { thread_id })).body.result).toBe('ack');
    expect(sent()).not.toHaveProperty('thread_id');
  });

  test("another conversation's, unknown and malformed thread ids get 400, and no bot is called", async () => {
    const elsewhere = (await harness.fixture.chat.post(await harness.channel(), person(), 'elsewhere'))
      .messageId;
    for (const thread_id of [elsewhere, channel, 'x', 5])
      expect((await invoke(undefined, { thread_id })).status).toBe(400);
    expect(harness.receiver.requests).toEqual([]);
  });
});

test('admins see the results of commands, and the person sees which bot sent an unreadable answer', async () => {
  harness.receiver.respond({ status: 200, body: { text: 7 } });
  const { body } = await invoke();
  expect(body).toMatchObject({
    result: 'ephemeral',
    text: 'Robot sent an answer that Tieline could not read.',
  });
  harness.receiver.respond(200);
  await invoke();
  await eventually(async () => {
    const { callbacks } = (await harness.fixture.admin('GET', `/bots/${command.bot.id}/callbacks`)).body;
    expect(callbacks).toMatchObject([
      { kind: 'command', status_code: 200, error: null },
      {
        kind: 'command',
        status_code: 200,
        error: 'the answer is not a valid answer to a command',
        response: '{"text":7}',
      },
    ]);
  });
});

import { BuiltinCommands } from '../../builtins/builtin-commands.js';
import type { BuiltinAnswer, BuiltinCommand, BuiltinInvocation } from '../../builtins/builtin-commands.js';
import { SlashHarness } from '../../testing/index.js';
import type { SeededCommand } from '../../testing/index.js';

const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';
const UUID = /^[0-9a-f-]{36}$/;

const given: BuiltinInvocation[] = [];
class EchoCommand implements BuiltinCommand {
  readonly name = 'echo-test';
  readonly description = 'Says it again';
  readonly usageHint = '<text>';

  async run(invocation: BuiltinInvocation): Promise<BuiltinAnswer> {
    given.push(invocation);
    return { result: 'ephemeral', text: invocation.text };
  }
}

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [], [EchoCommand]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  given.length = 0;
  harness.receiver.respond({ status: 200, body: { text: 'done' } });
  command = await harness.command();
  channel = await harness.channel();
});
afterAll(() => harness?.close());

const list = async (token = harness.person.token) =>
  (await harness.api.call('GET', '/api/v1/client/commands', { token })).body.commands as Record<
    string,
    unknown
  >[];
const names = async () => (await list()).map(({ name }) => name);
const directEvents = async () =>
  (await harness.fixture.chat.events()).filter(({ type }) => type === 'bot.direct_event');

test('two built-in commands with the same name are an error', () => {
  expect(() => new BuiltinCommands([new EchoCommand(), new EchoCommand()])).toThrow('echo-test');
});

describe('the list', () => {
  test("contains built-in commands and those of the space's bots, sorted by name", async () => {
    const described = await harness.command({ name: 'aaa', description: 'First', usage_hint: '[x]' });
    const commands = await list();
    expect(commands[0]).toEqual({
      name: 'aaa',
      description: 'First',
      usage_hint: '[x]',
      bot_id: described.bot.id,
      is_builtin: false,
    });
    expect(commands).toContainEqual({
      name: 'echo-test',
      description: 'Says it again',
      usage_hint: '<text>',
      bot_id: null,
      is_builtin: true,
    });
    expect(await names()).toEqual([...(await names())].sort());
    expect(JSON.stringify(commands)).not.toMatch(/whsec_|callback_url/);
  });

  test('contains nothing from other spaces, and built-in names cannot be registered', async () => {
    const other = await harness.otherSpace();
    expect((await list(other.person.token)).map(({ name }) => name)).toEqual(['echo-test', 'poll', 'remind']);
    expect(
      (
        await harness.manage('POST', command.bot, {
          body: { name: 'echo-test', callback_url: `${harness.receiver.url}/x` },
        })
      ).status,
    ).toBe(409);
  });

  test('bots cannot read it', async () => {
    expect(
      (await harness.api.call('GET', '/api/v1/client/commands', { token: command.bot.token })).status,
    ).toBe(403);
    expect((await harness.invoke(channel, `/${command.name}`, { token: command.bot.token })).status).toBe(
      403,
    );
  });
});

test.each([
  ['/echo-test', ''],
  ['/echo-test ', ''],
  ['/echo-test  a  b ', ' a  b '],
  ['/echo-test /x\ny', '/x\ny'],
])('%j has the text %j', async (raw, text) => {
  const { status, body } = await harness.invoke(channel, raw);
  expect([status, body]).toEqual([
    200,
    { ok: true, result: 'ephemeral', text, trigger_id: expect.stringMatching(UUID) },
  ]);
  expect(given).toEqual([
    {
      spaceId: harness.fixture.space.spaceId,
      userId: harness.person.id,
      conversationId: channel,
      command: 'echo-test',
      text,
      rawText: raw,
      triggerId: body.trigger_id,
    },
  ]);
});

test('a built-in command receives the thread', async () => {
  const { messageId } = await harness.fixture.chat.post(
    channel,
    { id: harness.person.id, type: 'user' },
    'root',
  );
  await harness.invoke(channel, '/echo-test', { thread_id: messageId });
  expect(given).toEqual([expect.objectContaining({ threadId: messageId })]);
});

test('names match exactly, anything else gets 404', async () => {
  const texts = [
    '/unknown',
    '/',
    '/ echo-test',
    '/Echo-Test',
    '/echo-test\tx',
    '/echo-test\u00a0x',
    '//echo-test',
    `/${command.name.toUpperCase()}`,
  ];
  for (const text of texts)
    expect(await harness.invoke(channel, text)).toMatchObject({
      status: 404,
      body: { ok: false, error: 'command not found' },
    });
  const other = await harness.otherSpace();
  expect((await other.invoke(await other.channel(), `/${command.name}`)).status).toBe(404);
  expect([given, harness.receiver.requests]).toEqual([[], []]);
});

test('text that is not a command gets 400', async () => {
  for (const text of ['echo-test', ' /echo-test', '', undefined, null, 5, `/echo-test ${'x'.repeat(3990)}`])
    expect((await harness.invoke(channel, text)).status).toBe(400);
  expect((await harness.invoke(channel, `/echo-test ${'😀'.repeat(3989)}`)).status).toBe(200);
});

describe('where', () => {
  const invoke = (conversationId: string, name = command.name, more = {}) =>
    harness.invoke(conversationId, `/${name}`, more);

  test('only members can run commands, also in public channels', async () => {
    const elsewhere = [
      await harness.fixture.channelOf(command.bot),
      await harness.fixture.chat.conversation({ scope: 'private' }),
    ];
    for (const id of elsewhere)
      for (const name of [command.name, 'echo-test', 'unknown'])
        expect((await invoke(id, name)).status).toBe(403);
    expect([given, harness.receiver.requests]).toEqual([[], []]);
  });

  test('archived, unknown and foreign conversations are refused', async () => {
    await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    expect(await invoke(channel)).toMatchObject({
      status: 403,
      body: { ok: false, error: 'conversation is archived' },
    });
    const foreign = await (await harness.otherSpace()).channel();
    for (const id of [UNKNOWN, foreign, 'x']) expect((await invoke(id)).status).toBe(404);
    expect(harness.receiver.requests).toEqual([]);
  });

  test('direct chats and private channels work too', async () => {
    const other = await harness.fixture.space.person('member');
    const direct = await harness.fixture.chat.direct(
      { id: harness.person.id, type: 'user' },
      { id: other.id, type: 'user' },
    );
    const closed = await harness.fixture.chat.conversation({
      scope: 'private',
      members: [{ id: harness.person.id, type: 'user' }],
    });
    harness.receiver.respond({ status: 200, body: { response_type: 'in_channel', text: 'here' } });
    for (const id of [direct, closed]) {
      const { body } = await invoke(id);
      expect((await harness.messages(id)).map((message) => message.id)).toEqual([body.message_id]);
    }
  });
});

test('commands of a disabled bot get 404 and are not listed; those of a deleted bot are gone', async () => {
  const set = (is_active: boolean) =>
    harness.fixture.admin('PATCH', `/bots/${command.bot.id}`, { is_active });
  await set(false);
  expect([await names(), (await harness.invoke(channel, `/${command.name}`)).status]).toEqual([
    expect.not.arrayContaining([command.name]),
    404,
  ]);
  const taken = await harness.manage('POST', (await harness.command()).bot, {
    body: { name: command.name, callback_url: `${harness.receiver.url}/` },
  });
  expect(taken.status).toBe(409);
  await set(true);
  expect([await names(), (await harness.invoke(channel, `/${command.name}`)).status]).toEqual([
    expect.arrayContaining([command.name]),
    200,
  ]);
  await harness.fixture.admin('DELETE', `/bots/${command.bot.id}`);
  expect([await names(), (await harness.invoke(channel, `/${command.name}`)).status]).toEqual([
    expect.not.arrayContaining([command.name]),
    404,
  ]);
});

describe('a bot that polls', () => {
  test("gets the invocation into its queue, with the trigger's id", async () => {
    const polled = await harness.polledCommand();
    const { messageId } = await harness.fixture.chat.post(
      channel,
      { id: harness.person.id, type: 'user' },
      'root',
    );
    const { status, body } = await harness.invoke(channel, `/${polled.name} a b`, { thread_id: messageId });
    expect([status, body]).toEqual([
      200,
      { ok: true, result: 'ack', text: expect.stringMatching(/./), trigger_id: expect.stringMatching(UUID) },
    ]);
    const [event] = await directEvents();
    expect(event).toMatchObject({
      eventId: body.trigger_id,
      payload: { bot_id: polled.bot.id, event_type: 'slash.command' },
    });
    expect(JSON.parse((event!.payload as { payload_json: string }).payload_json)).toEqual({
      trigger_id: body.trigger_id,
      command: polled.name,
      command_id: polled.id,
      space_id: harness.fixture.space.spaceId,
      conversation_id: channel,
      user_id: harness.person.id,
      text: 'a b',
      raw_text: `/${polled.name} a b`,
      invoked_at: expect.stringMatching(/\.\d{9}Z$/),
      response_token: expect.stringMatching(/^tlr_/),
      response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
      thread_id: messageId,
    });
    expect(await harness.messages(channel, messageId)).toEqual([]);
  });

  test('is never called back, even with an address; the mode at the time of the invocation decides', async () => {
    const setMode = (event_delivery_mode: string) =>
      harness.api.call('PATCH', '/api/v1/bot/me', {
        token: command.bot.token,
        body: { event_delivery_mode },
      });
    const before = (await directEvents()).length;
    await setMode('poll');
    expect((await harness.invoke(channel, `/${command.name}`)).body.result).toBe('ack');
    expect([harness.receiver.requests.length, (await directEvents()).length]).toEqual([0, before + 1]);
    await setMode('none');
    expect((await harness.invoke(channel, `/${command.name}`)).body.result).toBe('ephemeral');
    expect([harness.receiver.requests.length, (await directEvents()).length]).toEqual([1, before + 1]);
  });
});

describe('rates', () => {
  const many = (count: number, text: string, token?: string) =>
    Promise.all(Array.from({ length: count }, () => harness.invoke(channel, text, { token })));
  /**
   * Retries requests that get 503 because the rate limit could not be checked; they do not count.
   */
  const decided = async (where: string, text: string, token: string): Promise<{ status: number }> => {
    const answer = await harness.invoke(where, text, { token });
    return answer.status === 503 ? decided(where, text, token) : answer;
  };
  const count = (answers: { status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length;

  test('30 per minute per person and command, counted separately', async () => {
    const answers = await many(33, `/${command.name}`);
    expect([count(answers, 200), count(answers, 429), harness.receiver.requests.length]).toEqual([30, 3, 30]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toEqual({ ok: false, error: 'rate limit exceeded', code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const other = await harness.fixture.space.person('member');
    await harness.api.db.query(
      'INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, $4)',
      [harness.fixture.space.spaceId, channel, other.id, 'user'],
    );
    expect((await harness.invoke(channel, `/${command.name}`, { token: other.token })).status).toBe(200);
    expect((await harness.invoke(channel, `/${(await harness.command()).name}`)).status).toBe(200);
  });

  test('refused requests do not count', async () => {
    const elsewhere = await harness.fixture.channelOf();
    await Promise.all(Array.from({ length: 30 }, () => harness.invoke(elsewhere, `/${command.name}`)));
    await Promise.all(
      Array.from({ length: 30 }, () => harness.invoke(channel, `/${command.name}`, { thread_id: UNKNOWN })),
    );
    expect(count(await many(31, `/${command.name}`), 200)).toBe(30);
  });

  test('300 per minute per command for everyone', async () => {
    const people = await Promise.all(
      Array.from({ length: 11 }, () => harness.fixture.space.person('member')),
    );
    const shared = await harness.fixture.chat.conversation({
      members: people.map(({ id }) => ({ id, type: 'user' as const })),
    });
    const polled = await harness.polledCommand();
    const answers = [];
    for (const { token } of people)
      answers.push(
        ...(await Promise.all(Array.from({ length: 28 }, () => decided(shared, `/${polled.name}`, token)))),
      );
    expect([count(answers, 200), count(answers, 429)]).toEqual([300, 8]);
  });

  test('apply to built-in commands too', async () => {
    const fresh = await harness.otherSpace();
    const place = await fresh.channel();
    const answers = await Promise.all(Array.from({ length: 32 }, () => fresh.invoke(place, '/echo-test x')));
    expect([count(answers, 200), count(answers, 429)]).toEqual([30, 2]);
  });
});

import { BuiltinCommands } from '../../builtins/builtin-commands.js';
import type { BuiltinAnswer, BuiltinCommand, BuiltinInvocation } from '../../builtins/builtin-commands.js';
import { SlashRig } from '../../testing/index.js';
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

let rig: SlashRig;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  rig = await SlashRig.start({}, [], [EchoCommand]);
});
beforeEach(async () => {
  rig.receiver.requests.length = 0;
  given.length = 0;
  rig.receiver.respond({ status: 200, body: { text: 'done' } });
  command = await rig.command();
  channel = await rig.channel();
});
afterAll(() => rig?.close());

const list = async (token = rig.person.token) =>
  (await rig.api.call('GET', '/api/v1/client/commands', { token })).body.commands as Record<
    string,
    unknown
  >[];
const names = async () => (await list()).map(({ name }) => name);
const directEvents = async () =>
  (await rig.fixture.chat.events()).filter(({ type }) => type === 'bot.direct_event');

test('a second built-in command of the same name is a mistake', () => {
  expect(() => new BuiltinCommands([new EchoCommand(), new EchoCommand()])).toThrow('echo-test');
});

describe('the list', () => {
  test("has built-in commands and those of the space's bots, by name", async () => {
    const described = await rig.command({ name: 'aaa', description: 'First', usage_hint: '[x]' });
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

  test('has nothing of other spaces; built-in names cannot be registered', async () => {
    const other = await rig.otherSpace();
    expect((await list(other.person.token)).map(({ name }) => name)).toEqual(['echo-test', 'poll', 'remind']);
    expect(
      (
        await rig.manage('POST', command.bot, {
          body: { name: 'echo-test', callback_url: `${rig.receiver.url}/x` },
        })
      ).status,
    ).toBe(409);
  });

  test('a bot is no person', async () => {
    expect((await rig.api.call('GET', '/api/v1/client/commands', { token: command.bot.token })).status).toBe(
      403,
    );
    expect((await rig.invoke(channel, `/${command.name}`, { token: command.bot.token })).status).toBe(403);
  });
});

test.each([
  ['/echo-test', ''],
  ['/echo-test ', ''],
  ['/echo-test  a  b ', ' a  b '],
  ['/echo-test /x\ny', '/x\ny'],
])('%j has the text %j', async (raw, text) => {
  const { status, body } = await rig.invoke(channel, raw);
  expect([status, body]).toEqual([
    200,
    { ok: true, result: 'ephemeral', text, trigger_id: expect.stringMatching(UUID) },
  ]);
  expect(given).toEqual([
    {
      spaceId: rig.fixture.space.spaceId,
      userId: rig.person.id,
      conversationId: channel,
      command: 'echo-test',
      text,
      rawText: raw,
      triggerId: body.trigger_id,
    },
  ]);
});

test('a built-in command is told the thread', async () => {
  const { messageId } = await rig.fixture.chat.post(channel, { id: rig.person.id, type: 'user' }, 'root');
  await rig.invoke(channel, '/echo-test', { thread_id: messageId });
  expect(given).toEqual([expect.objectContaining({ threadId: messageId })]);
});

test('names match exactly; anything else is 404', async () => {
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
    expect(await rig.invoke(channel, text)).toMatchObject({
      status: 404,
      body: { ok: false, error: 'command not found' },
    });
  const other = await rig.otherSpace();
  expect((await other.invoke(await other.channel(), `/${command.name}`)).status).toBe(404);
  expect([given, rig.receiver.requests]).toEqual([[], []]);
});

test('what is no command is 400', async () => {
  for (const text of ['echo-test', ' /echo-test', '', undefined, null, 5, `/echo-test ${'x'.repeat(3990)}`])
    expect((await rig.invoke(channel, text)).status).toBe(400);
  expect((await rig.invoke(channel, `/echo-test ${'😀'.repeat(3989)}`)).status).toBe(200);
});

describe('where', () => {
  const invoke = (conversationId: string, name = command.name, more = {}) =>
    rig.invoke(conversationId, `/${name}`, more);

  test('only members, also of public channels', async () => {
    const elsewhere = [
      await rig.fixture.channelOf(command.bot),
      await rig.fixture.chat.conversation({ scope: 'private' }),
    ];
    for (const id of elsewhere)
      for (const name of [command.name, 'echo-test', 'unknown'])
        expect((await invoke(id, name)).status).toBe(403);
    expect([given, rig.receiver.requests]).toEqual([[], []]);
  });

  test('not in archived conversations, nor in unknown or foreign ones', async () => {
    await rig.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    expect(await invoke(channel)).toMatchObject({
      status: 403,
      body: { ok: false, error: 'conversation is archived' },
    });
    const foreign = await (await rig.otherSpace()).channel();
    for (const id of [UNKNOWN, foreign, 'x']) expect((await invoke(id)).status).toBe(404);
    expect(rig.receiver.requests).toEqual([]);
  });

  test('in direct chats and private channels too', async () => {
    const other = await rig.fixture.space.person('member');
    const direct = await rig.fixture.chat.direct(
      { id: rig.person.id, type: 'user' },
      { id: other.id, type: 'user' },
    );
    const closed = await rig.fixture.chat.conversation({
      scope: 'private',
      members: [{ id: rig.person.id, type: 'user' }],
    });
    rig.receiver.respond({ status: 200, body: { response_type: 'in_channel', text: 'here' } });
    for (const id of [direct, closed]) {
      const { body } = await invoke(id);
      expect((await rig.messages(id)).map((message) => message.id)).toEqual([body.message_id]);
    }
  });
});

test('commands of a disabled bot are 404 and not listed, until it is enabled again; those of a deleted bot are gone', async () => {
  const set = (is_active: boolean) => rig.fixture.admin('PATCH', `/bots/${command.bot.id}`, { is_active });
  await set(false);
  expect([await names(), (await rig.invoke(channel, `/${command.name}`)).status]).toEqual([
    expect.not.arrayContaining([command.name]),
    404,
  ]);
  const taken = await rig.manage('POST', (await rig.command()).bot, {
    body: { name: command.name, callback_url: `${rig.receiver.url}/` },
  });
  expect(taken.status).toBe(409);
  await set(true);
  expect([await names(), (await rig.invoke(channel, `/${command.name}`)).status]).toEqual([
    expect.arrayContaining([command.name]),
    200,
  ]);
  await rig.fixture.admin('DELETE', `/bots/${command.bot.id}`);
  expect([await names(), (await rig.invoke(channel, `/${command.name}`)).status]).toEqual([
    expect.not.arrayContaining([command.name]),
    404,
  ]);
});

describe('a bot that polls', () => {
  test("gets the invocation into its queue, with the trigger's id", async () => {
    const polled = await rig.polledCommand();
    const { messageId } = await rig.fixture.chat.post(channel, { id: rig.person.id, type: 'user' }, 'root');
    const { status, body } = await rig.invoke(channel, `/${polled.name} a b`, { thread_id: messageId });
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
      space_id: rig.fixture.space.spaceId,
      conversation_id: channel,
      user_id: rig.person.id,
      text: 'a b',
      raw_text: `/${polled.name} a b`,
      invoked_at: expect.stringMatching(/\.\d{9}Z$/),
      response_token: expect.stringMatching(/^tlr_/),
      response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
      thread_id: messageId,
    });
    expect(await rig.messages(channel, messageId)).toEqual([]);
  });

  test('is never called back, even where the command has an address; the mode of the moment decides', async () => {
    const setMode = (event_delivery_mode: string) =>
      rig.api.call('PATCH', '/api/v1/bot/me', { token: command.bot.token, body: { event_delivery_mode } });
    const before = (await directEvents()).length;
    await setMode('poll');
    expect((await rig.invoke(channel, `/${command.name}`)).body.result).toBe('ack');
    expect([rig.receiver.requests.length, (await directEvents()).length]).toEqual([0, before + 1]);
    await setMode('none');
    expect((await rig.invoke(channel, `/${command.name}`)).body.result).toBe('ephemeral');
    expect([rig.receiver.requests.length, (await directEvents()).length]).toEqual([1, before + 1]);
  });
});

describe('rates', () => {
  const many = (count: number, text: string, token?: string) =>
    Promise.all(Array.from({ length: count }, () => rig.invoke(channel, text, { token })));
  /** Who is told that it cannot be decided now asks again, and has used nothing up. */
  const decided = async (where: string, text: string, token: string): Promise<{ status: number }> => {
    const answer = await rig.invoke(where, text, { token });
    return answer.status === 503 ? decided(where, text, token) : answer;
  };
  const count = (answers: { status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length;

  test('30 a minute of one person and command; others and other commands have their own', async () => {
    const answers = await many(33, `/${command.name}`);
    expect([count(answers, 200), count(answers, 429), rig.receiver.requests.length]).toEqual([30, 3, 30]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toEqual({ ok: false, error: 'rate limit exceeded', code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const other = await rig.fixture.space.person('member');
    await rig.api.db.query(
      'INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, $4)',
      [rig.fixture.space.spaceId, channel, other.id, 'user'],
    );
    expect((await rig.invoke(channel, `/${command.name}`, { token: other.token })).status).toBe(200);
    expect((await rig.invoke(channel, `/${(await rig.command()).name}`)).status).toBe(200);
  });

  test('refused requests use nothing up', async () => {
    const elsewhere = await rig.fixture.channelOf();
    await Promise.all(Array.from({ length: 30 }, () => rig.invoke(elsewhere, `/${command.name}`)));
    await Promise.all(
      Array.from({ length: 30 }, () => rig.invoke(channel, `/${command.name}`, { thread_id: UNKNOWN })),
    );
    expect(count(await many(31, `/${command.name}`), 200)).toBe(30);
  });

  test('300 a minute of one command, from whomever', async () => {
    const people = await Promise.all(Array.from({ length: 11 }, () => rig.fixture.space.person('member')));
    const shared = await rig.fixture.chat.conversation({
      members: people.map(({ id }) => ({ id, type: 'user' as const })),
    });
    const polled = await rig.polledCommand();
    const answers = [];
    for (const { token } of people)
      answers.push(
        ...(await Promise.all(Array.from({ length: 28 }, () => decided(shared, `/${polled.name}`, token)))),
      );
    expect([count(answers, 200), count(answers, 429)]).toEqual([300, 8]);
  });

  test('built-in commands have them too', async () => {
    const fresh = await rig.otherSpace();
    const place = await fresh.channel();
    const answers = await Promise.all(Array.from({ length: 32 }, () => fresh.invoke(place, '/echo-test x')));
    expect([count(answers, 200), count(answers, 429)]).toEqual([30, 2]);
  });
});

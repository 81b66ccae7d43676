import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashHarness } from '../../testing/index.js';
import type { SeededCommand } from '../../testing/index.js';

const STAGES = [
  { name: 'Production', value: 'live' },
  { name: 'Staging', value: 'test' },
];
const OPTIONS = [
  { name: 'service', type: 'string', required: true, description: 'What', max_length: 20 },
  { name: 'stage', type: 'choice', choices: STAGES },
  { name: 'count', type: 'integer', min: 1, max: 9 },
  { name: 'dry', type: 'boolean' },
  { name: 'who', type: 'user' },
  { name: 'where', type: 'conversation' },
];

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start();
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  command = await harness.command({ options: OPTIONS });
  channel = await harness.channel();
});
afterAll(() => harness?.close());

const register = async (options: unknown): Promise<TestAnswer> =>
  harness.manage('POST', command.bot, {
    body: { name: `c-${Math.random().toString(36).slice(2)}`, callback_url: harness.receiver.url, options },
  });
const invoke = (args: string, options?: unknown): Promise<TestAnswer> =>
  harness.invoke(channel, `/${command.name}${args && ` ${args}`}`, { options });
const asked = (): any => JSON.parse(harness.receiver.requests.at(-1)!.body.toString());

test('a command shows its options to its bot and to people, with defaults filled in', async () => {
  const shown = [
    { ...OPTIONS[0], autocomplete: false },
    ...OPTIONS.slice(1).map((option) => ({
      description: '',
      required: false,
      autocomplete: false,
      ...option,
    })),
  ];
  const { body } = await harness.manage('GET', command.bot, { name: command.id });
  expect(body.command.options).toEqual(shown);
  const offered = await harness.api.call('GET', '/api/v1/client/commands', { token: harness.person.token });
  const listed = offered.body.commands as { name: string; options?: unknown }[];
  expect(listed.find(({ name }) => name === command.name)?.options).toEqual(shown);
  expect(listed.find(({ name }) => name === 'poll')).not.toHaveProperty('options');
});

test('arguments arrive as typed values next to the raw text', async () => {
  const where = await harness.channel();
  const args = `service:"api gateway" stage:Production count:3 dry:true who:<@${harness.person.id}> where:${where}`;
  expect((await invoke(args)).body.result).toBe('ack');
  expect(asked()).toMatchObject({
    text: args,
    raw_text: `/${command.name} ${args}`,
    options: { service: 'api gateway', stage: 'live', count: 3, dry: true, who: harness.person.id, where },
  });
});

test('a client’s form gives the same values, and empty options are absent', async () => {
  await invoke('', { service: 'api', count: '2', dry: false, stage: null });
  expect(asked().options).toEqual({ service: 'api', count: 2, dry: false });
  expect(asked().text).toBe('');
});

test('a polling bot gets them too', async () => {
  const bot = await harness.fixture.bot({ event_delivery_mode: 'poll' });
  command = await harness.command({ bot, callback_url: '', options: OPTIONS });
  await invoke('service:api');
  const [event] = (await harness.fixture.chat.events())
    .filter(({ type }) => type === 'bot.direct_event')
    .slice(-1);
  expect(JSON.parse((event!.payload as { payload_json: string }).payload_json).options).toEqual({
    service: 'api',
  });
});

test('a command without options takes free text and has no options key', async () => {
  command = await harness.command();
  await invoke('service:"api');
  expect(asked()).toMatchObject({ text: 'service:"api' });
  expect(asked()).not.toHaveProperty('options');
});

test.each([
  ['', 'missing'],
  ['service:api later', 'does not belong to an option'],
  ['service:api pace:fast', 'no option “pace”'],
  ['service:api count:10', 'from 1 to 9'],
  ['service:api count:many', 'from 1 to 9'],
  ['service:api stage:moon', 'one of Production, Staging'],
  [`service:${'x'.repeat(21)}`, '1 to 20 characters'],
  ['service:api who:<@0190d5e0-0000-7000-8000-000000000001>', 'a person'],
  ['service:api where:0190d5e0-0000-7000-8000-000000000001', 'a conversation'],
])('%j is answered to the person alone, and the bot is not asked', async (args, text) => {
  const { status, body } = await invoke(args);
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      result: 'ephemeral',
      text: expect.stringContaining(text),
      trigger_id: expect.any(String),
    },
  ]);
  expect(body.text).toContain(`Usage: /${command.name} service:string [stage:live|test] [count:integer]`);
  expect(harness.receiver.requests).toEqual([]);
});

test('unreadable conversations, deactivated people and people of other spaces are invalid', async () => {
  const foreign = await harness.otherSpace();
  const secret = await harness.fixture.chat.conversation({ scope: 'private' });
  const gone = await harness.fixture.space.person('member', 'Gone');
  await harness.fixture.admin('PATCH', `/users/${gone.id}`, { is_active: false });
  for (const options of [{ who: foreign.person.id }, { who: gone.id }, { where: secret }])
    expect((await invoke('', { service: 'api', ...options })).body.result).toBe('ephemeral');
  expect(harness.receiver.requests).toEqual([]);
});

test('new options replace the old ones, and an empty list allows free text again', async () => {
  const patch = (options: unknown) =>
    harness.manage('PATCH', command.bot, { name: command.id, body: { options } });
  const { body } = await patch([{ name: 'only', type: 'string' }]);
  expect(body.command.options).toMatchObject([{ name: 'only' }]);
  await invoke('only:this');
  expect(asked().options).toEqual({ only: 'this' });
  expect((await patch([{ name: 'only' }])).status).toBe(400);
  expect((await patch([])).body.command).not.toHaveProperty('options');
});

const field = (more: object): object[] => [{ name: 'a', type: 'string', ...more }];

test.each<[string, unknown, string]>([
  ['no list', {}, 'options'],
  ['26', Array.from({ length: 26 }, (_, n) => ({ name: `a${n}`, type: 'string' })), 'options'],
  ['required after optional', [...field({}), { name: 'b', type: 'string', required: true }], 'options'],
  ['a name twice', [...field({}), ...field({})], 'options[1].name'],
  ['a bad name', field({ name: 'A' }), 'options[0].name'],
  ['no type', field({ type: undefined }), 'options[0].type'],
  ['an unknown type', field({ type: 'date' }), 'options[0].type'],
  ['min of a string', field({ min: 1 }), 'options[0].min'],
  ['min over max', field({ type: 'integer', min: 2, max: 1 }), 'options[0].max'],
  ['a broken min of an integer', field({ type: 'integer', min: 0.5 }), 'options[0].min'],
  ['min_length of a number', field({ type: 'number', min_length: 1 }), 'options[0].min_length'],
  ['min_length greater than max_length', field({ min_length: 3, max_length: 2 }), 'options[0].max_length'],
  ['max_length of nothing', field({ max_length: 0 }), 'options[0].max_length'],
  ['a choice without choices', field({ type: 'choice' }), 'options[0].choices'],
  ['no choices', field({ type: 'choice', choices: [] }), 'options[0].choices'],
  ['choices of a string', field({ choices: STAGES }), 'options[0].choices'],
  [
    'the same value twice',
    field({ type: 'choice', choices: [STAGES[0], STAGES[0]] }),
    'options[0].choices[1].value',
  ],
  [
    'two choices with the same name',
    field({ type: 'choice', choices: [STAGES[0], { ...STAGES[0], value: 'other' }] }),
    'options[0].choices[1].name',
  ],
  [
    'a choice without a name',
    field({ type: 'choice', choices: [{ value: 'a' }] }),
    'options[0].choices[0].name',
  ],
  ['autocomplete of a boolean', field({ type: 'boolean', autocomplete: true }), 'options[0].autocomplete'],
  [
    'autocomplete of a choice',
    field({ type: 'choice', choices: STAGES, autocomplete: true }),
    'options[0].autocomplete',
  ],
  ['null', [null], 'options[0]'],
])('a definition with %s gets 400', async (_, options, at) => {
  const { status, body } = await register(options);
  expect([status, body.code, body.field]).toEqual([400, 'invalid_field', at]);
});

test('25 options with 25 choices are accepted, and null counts as absent', async () => {
  const choices = Array.from({ length: 25 }, (_, n) => ({ name: `n${n}`, value: `v${n}` }));
  const options = Array.from({ length: 25 }, (_, n) => ({ name: `o${n}`, type: 'choice', choices }));
  expect((await register(options)).status).toBe(201);
  const nothing = { description: null, required: null, min: null, min_length: null, choices: null };
  expect((await register(field({ ...nothing, autocomplete: null }))).status).toBe(201);
  expect((await register(null)).body.command).not.toHaveProperty('options');
});

test('warnings name unknown fields of options', async () => {
  expect((await register(field({ size: 1 }))).body.warnings).toEqual(['unknown field: options[0].size']);
});

import { InteractiveModule } from '@tieline/interactive';
import { verifyVersioned } from '@tieline/signing';
import { eventually } from '@tieline/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashHarness } from '../../testing/index.js';
import type { SeededCommand } from '../../testing/index.js';

const OPTIONS = [
  { name: 'version', type: 'string', autocomplete: true },
  {
    name: 'stage',
    type: 'choice',
    choices: [
      { name: 'Production', value: 'live' },
      { name: 'Staging', value: 'test' },
    ],
  },
  { name: 'free', type: 'string' },
];
const CHOICES = [{ name: 'Version 1', value: 'v1' }];

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [InteractiveModule]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond({ status: 200, body: { choices: CHOICES } });
  command = await harness.command({ options: OPTIONS });
  channel = await harness.channel();
});
afterAll(() => harness?.close());

const suggest = (typed: unknown = 'v', more: object = {}): Promise<TestAnswer> =>
  harness.api.call('POST', `/api/v1/client/conversations/${channel}/commands/options`, {
    token: harness.person.token,
    body: { command: command.name, option: 'version', typed, ...more },
  });
const polled = async (): Promise<SeededCommand> =>
  harness.command({
    bot: await harness.fixture.bot({ event_delivery_mode: 'poll' }),
    callback_url: '',
    options: OPTIONS,
  });
const respond = (token: string, body: unknown): Promise<TestAnswer> =>
  harness.api.call('POST', `/api/v1/bot/responses/${token}`, { token: command.bot.token, body });

/** Returns the parsed event in the outbox for the command's bot. */
async function question(): Promise<any> {
  return eventually(async () => {
    const events = (await harness.fixture.chat.events()).map(
      ({ payload }) => payload as Record<string, string>,
    );
    const mine = events.filter(
      ({ bot_id: id, event_type: type }) => id === command.bot.id && type === 'command.options',
    );
    expect(mine).toHaveLength(1);
    return JSON.parse(mine[0]!.payload_json!) as unknown;
  });
}

test('the bot is asked for suggestions, signed with the command’s secret', async () => {
  expect((await suggest()).body).toEqual({ ok: true, choices: CHOICES });
  const [request] = harness.receiver.requests;
  expect(JSON.parse(request!.body.toString())).toEqual({
    event_type: 'command.options',
    command_id: command.id,
    command: command.name,
    option: 'version',
    typed: 'v',
    user_id: harness.person.id,
    conversation_id: channel,
    space_id: harness.fixture.space.spaceId,
    response_token: expect.stringMatching(/^tlr_/),
  });
  const { headers, body } = request!;
  expect(headers).toMatchObject({ 'x-service-event': 'command.options', 'x-service-command': command.name });
  const signature = String(headers['x-service-signature']);
  expect(verifyVersioned(command.secret, String(headers['x-service-timestamp']), body, signature)).toBe(true);
});

test('the same request within five seconds is cached per person, option and text', async () => {
  const answered = (at: string) => harness.api.db.query(`UPDATE option_requests SET answered_at = ${at}`);
  await suggest();
  await answered(`now() + interval '1 minute'`);
  await suggest();
  expect(harness.receiver.requests).toHaveLength(1);
  await suggest('v1');
  expect(harness.receiver.requests).toHaveLength(2);
  await answered(`now() - interval '5 seconds'`);
  await suggest();
  expect(harness.receiver.requests).toHaveLength(3);
});

test.each([
  ['500', 500],
  ['no JSON', { status: 200, body: 'hello' }],
  ['26 choices', { status: 200, body: { choices: Array.from({ length: 26 }, () => CHOICES[0]) } }],
  ['a choice without a name', { status: 200, body: { choices: [{ value: 'v1' }] } }],
  ['no list', { status: 200, body: { choices: 'v1' } }],
])('%s: there are none, and that is not kept', async (_, answer) => {
  harness.receiver.respond(answer as number);
  expect((await suggest()).body).toEqual({ ok: true, choices: [] });
  harness.receiver.respond({ status: 200, body: { choices: CHOICES } });
  expect((await suggest()).body.choices).toEqual(CHOICES);
});

test.each([
  ['an empty answer', 200],
  ['no choices', { status: 200, body: {} }],
  ['null', { status: 200, body: { choices: null } }],
])('%s means none', async (_, answer) => {
  harness.receiver.respond(answer as number);
  expect((await suggest()).body).toEqual({ ok: true, choices: [] });
});

test('a bot can suggest numbers and up to 25 choices', async () => {
  const many = Array.from({ length: 25 }, (_, n) => ({ name: `${n}`, value: n }));
  harness.receiver.respond({ status: 200, body: { choices: many } });
  expect((await suggest()).body.choices).toEqual(many.map(({ name }) => ({ name, value: name })));
});

test('an answer after more than a second is ignored', async () => {
  harness.receiver.respond('hang');
  const since = performance.now();
  const late = await harness.timeouts.during({ callbackMs: undefined }, () => suggest());
  expect(late.body.choices).toEqual([]);
  // One second, not the minute of other callbacks.
  expect(performance.now() - since).toBeLessThan(20_000);
});

test('a polling bot answers with the token, and the person gets the choices', async () => {
  command = await polled();
  const waiting = suggest();
  const { response_token: token, ...asked } = await question();
  expect(asked).toMatchObject({ event_type: 'command.options', command_id: command.id, typed: 'v' });
  expect((await respond(token as string, { choices: CHOICES })).body).toEqual({ ok: true });
  expect((await waiting).body).toEqual({ ok: true, choices: CHOICES });
  await harness.api.db.query(`UPDATE option_requests SET answered_at = now() + interval '1 minute'`);
  expect((await suggest()).body.choices).toEqual(CHOICES);
});

test('the request returns nothing if a polling bot is silent for three seconds; a late answer is accepted', async () => {
  command = await polled();
  const since = performance.now();
  const silent = await harness.timeouts.during({ waitMs: undefined }, () => suggest());
  expect(silent.body).toEqual({ ok: true, choices: [] });
  expect(performance.now() - since).toBeGreaterThan(2_900);
  expect(performance.now() - since).toBeLessThan(20_000);
  const { response_token: token } = await question();
  expect((await respond(token as string, { choices: CHOICES })).status).toBe(200);
});

test('only choices can answer a request for choices, and choices can answer nothing else', async () => {
  command = await polled();
  const waiting = suggest();
  const { response_token: token } = await question();
  for (const body of [
    { send_message: { text: 'x' } },
    {},
    { choices: CHOICES, ephemeral_text: 'x' },
    { choices: [{}] },
  ])
    expect((await respond(token as string, body)).status).toBe(400);
  await respond(token as string, { choices: [] });
  expect((await waiting).body.choices).toEqual([]);
  await harness.invoke(channel, `/${command.name} free:x`);
  const invoked = (await harness.fixture.chat.events()).at(-1)!.payload as { payload_json: string };
  const { response_token: other } = JSON.parse(invoked.payload_json) as { response_token: string };
  expect((await respond(other, { choices: CHOICES })).body.code).toBe('answer_required');
});

test('choices are matched by name or value without calling the bot; free text has none', async () => {
  const stages = async (typed: string): Promise<string[]> =>
    (await suggest(typed, { option: 'stage' })).body.choices.map(({ value }: { value: string }) => value);
  expect([await stages(''), await stages('PROD'), await stages('test'), await stages('x')]).toEqual([
    ['live', 'test'],
    ['live'],
    ['test'],
    [],
  ]);
  expect((await suggest('', { option: 'free' })).body.choices).toEqual([]);
  expect(harness.receiver.requests).toEqual([]);
});

test('404 for an unknown command, 400 for an unknown option, 403 for non-members', async () => {
  expect((await suggest('', { command: 'nothing' })).body.code).toBe('command_not_found');
  expect(await suggest('', { option: 'nothing' })).toMatchObject({
    status: 400,
    body: { code: 'option_not_found', field: 'option' },
  });
  const stranger = await harness.fixture.space.person('member', 'Ben');
  const path = `/api/v1/client/conversations/${channel}/commands/options`;
  const body = { command: command.name, option: 'version', typed: '' };
  expect((await harness.api.call('POST', path, { token: stranger.token, body })).status).toBe(403);
});

test('the callback log shows admins the result of a request', async () => {
  await suggest();
  await eventually(async () => {
    const { body } = await harness.fixture.admin('GET', `/bots/${command.bot.id}/callbacks`);
    expect(body.callbacks).toMatchObject([{ kind: 'options', status_code: 200, error: null }]);
  });
});

import { InteractiveModule } from '@tieline/interactive';
import { verifyVersioned } from '@tieline/signing';
import { eventually } from '@tieline/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashRig } from '../../testing/index.js';
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

let rig: SlashRig;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  rig = await SlashRig.start({}, [InteractiveModule]);
});
beforeEach(async () => {
  rig.receiver.requests.length = 0;
  rig.receiver.respond({ status: 200, body: { choices: CHOICES } });
  command = await rig.command({ options: OPTIONS });
  channel = await rig.channel();
});
afterAll(() => rig?.close());

const suggest = (typed: unknown = 'v', more: object = {}): Promise<TestAnswer> =>
  rig.api.call('POST', `/api/v1/client/conversations/${channel}/commands/options`, {
    token: rig.person.token,
    body: { command: command.name, option: 'version', typed, ...more },
  });
const polled = async (): Promise<SeededCommand> =>
  rig.command({
    bot: await rig.fixture.bot({ event_delivery_mode: 'poll' }),
    callback_url: '',
    options: OPTIONS,
  });
const respond = (token: string, body: unknown): Promise<TestAnswer> =>
  rig.api.call('POST', `/api/v1/bot/responses/${token}`, { token: command.bot.token, body });

/** What waits in the outbox for the command's bot, parsed. */
async function question(): Promise<any> {
  return eventually(async () => {
    const events = (await rig.fixture.chat.events()).map(({ payload }) => payload as Record<string, string>);
    const mine = events.filter(
      ({ bot_id: id, event_type: type }) => id === command.bot.id && type === 'command.options',
    );
    expect(mine).toHaveLength(1);
    return JSON.parse(mine[0]!.payload_json!) as unknown;
  });
}

test('the bot is asked what fits, signed with the command’s secret', async () => {
  expect((await suggest()).body).toEqual({ ok: true, choices: CHOICES });
  const [request] = rig.receiver.requests;
  expect(JSON.parse(request!.body.toString())).toEqual({
    event_type: 'command.options',
    command_id: command.id,
    command: command.name,
    option: 'version',
    typed: 'v',
    user_id: rig.person.id,
    conversation_id: channel,
    space_id: rig.fixture.space.spaceId,
    response_token: expect.stringMatching(/^tlr_/),
  });
  const { headers, body } = request!;
  expect(headers).toMatchObject({ 'x-service-event': 'command.options', 'x-service-command': command.name });
  const signature = String(headers['x-service-signature']);
  expect(verifyVersioned(command.secret, String(headers['x-service-timestamp']), body, signature)).toBe(true);
});

test('the same question within five seconds is not asked again; of another person, option or text it is', async () => {
  await suggest();
  await suggest();
  expect(rig.receiver.requests).toHaveLength(1);
  await suggest('v1');
  expect(rig.receiver.requests).toHaveLength(2);
  await rig.api.db.query("UPDATE option_requests SET answered_at = answered_at - interval '5 seconds'");
  await suggest();
  expect(rig.receiver.requests).toHaveLength(3);
});

test.each([
  ['500', 500],
  ['no JSON', { status: 200, body: 'hello' }],
  ['26 choices', { status: 200, body: { choices: Array.from({ length: 26 }, () => CHOICES[0]) } }],
  ['a choice without a name', { status: 200, body: { choices: [{ value: 'v1' }] } }],
  ['no list', { status: 200, body: { choices: 'v1' } }],
])('%s: there are none, and that is not kept', async (_, answer) => {
  rig.receiver.respond(answer as number);
  expect((await suggest()).body).toEqual({ ok: true, choices: [] });
  rig.receiver.respond({ status: 200, body: { choices: CHOICES } });
  expect((await suggest()).body.choices).toEqual(CHOICES);
});

test.each([
  ['an empty answer', 200],
  ['no choices', { status: 200, body: {} }],
  ['null', { status: 200, body: { choices: null } }],
])('%s means none', async (_, answer) => {
  rig.receiver.respond(answer as number);
  expect((await suggest()).body).toEqual({ ok: true, choices: [] });
});

test('numbers may be suggested, and 25 choices', async () => {
  const many = Array.from({ length: 25 }, (_, n) => ({ name: `${n}`, value: n }));
  rig.receiver.respond({ status: 200, body: { choices: many } });
  expect((await suggest()).body.choices).toEqual(many.map(({ name }) => ({ name, value: name })));
});

test('a bot that takes longer than a second has given no answer', async () => {
  rig.receiver.respond('hang');
  const since = performance.now();
  expect((await suggest()).body.choices).toEqual([]);
  expect(performance.now() - since).toBeLessThan(2_900);
});

test('a bot that polls answers by the token, and the person gets it', async () => {
  command = await polled();
  const waiting = suggest();
  const { response_token: token, ...asked } = await question();
  expect(asked).toMatchObject({ event_type: 'command.options', command_id: command.id, typed: 'v' });
  expect((await respond(token as string, { choices: CHOICES })).body).toEqual({ ok: true });
  expect((await waiting).body).toEqual({ ok: true, choices: CHOICES });
  expect((await suggest()).body.choices).toEqual(CHOICES);
});

test('a bot that polls and says nothing within three seconds has given no answer; a late one is accepted', async () => {
  command = await polled();
  const since = performance.now();
  const waiting = suggest();
  const { response_token: token } = await question();
  expect((await waiting).body).toEqual({ ok: true, choices: [] });
  expect(performance.now() - since).toBeGreaterThan(2_900);
  expect((await respond(token as string, { choices: CHOICES })).status).toBe(200);
});

test('a question for choices is answered by choices alone, and nothing else by them', async () => {
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
  await rig.invoke(channel, `/${command.name} free:x`);
  const invoked = (await rig.fixture.chat.events()).at(-1)!.payload as { payload_json: string };
  const { response_token: other } = JSON.parse(invoked.payload_json) as { response_token: string };
  expect((await respond(other, { choices: CHOICES })).body.code).toBe('answer_required');
});

test('values of a choice are found by name or value, without asking; free text has none', async () => {
  const stages = async (typed: string): Promise<string[]> =>
    (await suggest(typed, { option: 'stage' })).body.choices.map(({ value }: { value: string }) => value);
  expect([await stages(''), await stages('PROD'), await stages('test'), await stages('x')]).toEqual([
    ['live', 'test'],
    ['live'],
    ['test'],
    [],
  ]);
  expect((await suggest('', { option: 'free' })).body.choices).toEqual([]);
  expect(rig.receiver.requests).toEqual([]);
});

test('an unknown command is 404, an unknown option 400, a stranger 403', async () => {
  expect((await suggest('', { command: 'nothing' })).body.code).toBe('command_not_found');
  expect(await suggest('', { option: 'nothing' })).toMatchObject({
    status: 400,
    body: { code: 'option_not_found', field: 'option' },
  });
  const stranger = await rig.fixture.space.person('member', 'Ben');
  const path = `/api/v1/client/conversations/${channel}/commands/options`;
  const body = { command: command.name, option: 'version', typed: '' };
  expect((await rig.api.call('POST', path, { token: stranger.token, body })).status).toBe(403);
});

test('admins read in the log of callbacks what became of a question', async () => {
  await suggest();
  await eventually(async () => {
    const { body } = await rig.fixture.admin('GET', `/bots/${command.bot.id}/callbacks`);
    expect(body.callbacks).toMatchObject([{ kind: 'options', status_code: 200, error: null }]);
  });
});

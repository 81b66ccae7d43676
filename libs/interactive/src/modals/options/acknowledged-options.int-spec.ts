import { BOTS_WORKER, SocketClient } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { ClientStreamModule } from '@tieline/live-stream';
import type { TestAnswer } from '@tieline/spaces/testing';
import { InteractiveHarness } from '../../testing/index.js';

const CHOICES = [{ name: 'Version 1', value: 'v1' }];
const MODAL = {
  ...{ validate: true, title: 'Deploy' },
  fields: [{ id: 'version', type: 'select', label: 'Version', options_from: 'bot' }],
};

let harness: InteractiveHarness;
let bot: SeededBot;
let token: string;
let socket: SocketClient;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [ClientStreamModule, ...BOTS_WORKER]);
});
afterAll(() => harness?.close());
beforeEach(async () => {
  bot = await harness.polling();
  const message = await harness.message(bot);
  socket = await SocketClient.open(harness.api.url, bot.token);
  const opening = harness.click(message.id);
  socket.acknowledge((await socket.got(1)).envelope_id, { open_modal: MODAL });
  token = (await opening).body.modal_token;
});
afterEach(() => socket.close());

const suggest = (): Promise<TestAnswer> =>
  harness.forms.use(token, 'options', { field: 'version', typed: 'v' });
const asked = async (nth: number): Promise<unknown> => {
  await socket.until(({ messages }) => messages.filter(({ type }) => type === 'options').length >= nth);
  return socket.messages.filter(({ type }) => type === 'options')[nth - 1]?.envelope_id as unknown;
};

test('the acknowledgement provides the choices', async () => {
  const waiting = suggest();
  socket.acknowledge(await asked(1), { choices: CHOICES });
  expect((await waiting).body).toEqual({ ok: true, choices: CHOICES });
});

test.each([
  ['no list', { choices: 'v1' }],
  ['too many', { choices: Array.from({ length: 26 }, () => CHOICES[0]) }],
  ['no object', 'v1'],
])('nobody waits after an invalid answer, and it is not kept: %s', async (_, answer) => {
  const begin = Date.now();
  const waiting = suggest();
  socket.acknowledge(await asked(1), answer);
  expect((await waiting).body).toEqual({ ok: true, choices: [] });
  // People wait for a minute in these tests.
  expect(Date.now() - begin).toBeLessThan(20_000);
  await socket.until(({ messages }) => messages.some(({ type }) => type === 'error'));
  expect(socket.messages.find(({ type }) => type === 'error')?.error).not.toContain('$');
  const again = suggest();
  socket.acknowledge(await asked(2), { choices: CHOICES });
  expect((await again).body).toEqual({ ok: true, choices: CHOICES });
});

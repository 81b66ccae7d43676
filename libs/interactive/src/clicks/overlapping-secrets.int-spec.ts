import { verifyVersioned } from '@tieline/signing';
import type { ReceivedRequest } from '@tieline/testing';
import { InteractiveRig } from '../testing/index.js';
import type { CalledBack } from '../testing/index.js';

const PATH = '/api/v1/bot/interactive_config';

let rig: InteractiveRig;
let bot: CalledBack;

beforeAll(async () => {
  rig = await InteractiveRig.start();
});
beforeEach(async () => {
  rig.receiver.requests.length = 0;
  rig.receiver.respond(200);
  bot = await rig.calledBack();
});
afterAll(() => rig?.close());

const rotate = async (overlap_seconds: number): Promise<string> =>
  (await rig.api.call('POST', `${PATH}/rotate_secret`, { token: bot.token, body: { overlap_seconds } })).body
    .signing_secret;
const shownEnd = async (): Promise<unknown> =>
  (await rig.api.call('GET', PATH, { token: bot.token })).body.previous_secret_expires_at;
const expire = () =>
  rig.api.db.query(
    "UPDATE interactive_configs SET previous_secret_expires_at = now() - interval '1 second' WHERE bot_id = $1",
    [bot.id],
  );
const clicked = async (messageId: string): Promise<number> => (await rig.click(messageId)).status;

test('while a rotation overlaps buttons of before work, and callbacks are signed by both secrets', async () => {
  const { id } = await rig.message(bot);
  const rotated = await rotate(60);
  expect(await clicked(id)).toBe(200);
  const [{ headers, body }] = rig.receiver.requests as [ReceivedRequest];
  const verifies = (secret: string, name: string): boolean =>
    verifyVersioned(secret, String(headers['x-service-timestamp']), body, String(headers[name]));
  expect(verifies(rotated, 'x-service-signature')).toBe(true);
  expect(verifies(bot.secret, 'x-service-signature-previous')).toBe(true);
  expect(await clicked((await rig.message(bot)).id)).toBe(200);
  expect(Math.abs(Date.parse(String(await shownEnd())) - Date.now() - 60_000)).toBeLessThan(30_000);
});

test('once it is over they are dead, those of after are not, and nothing is shown', async () => {
  const before = await rig.message(bot);
  await rotate(60);
  const after = await rig.message(bot);
  await expire();
  expect([await clicked(before.id), await clicked(after.id)]).toEqual([410, 200]);
  expect(rig.receiver.requests[0]!.headers).not.toHaveProperty('x-service-signature-previous');
  expect(await shownEnd()).toBeUndefined();
});

test('buttons that a bot signed in poll mode before it had a secret live as long', async () => {
  const polling = await rig.polling();
  const { id } = await rig.message(polling);
  const config = { callback_url: `${rig.receiver.url}/clicks` };
  await rig.api.call('PATCH', PATH, { token: polling.token, body: config });
  const body = { overlap_seconds: 60 };
  await rig.api.call('POST', `${PATH}/rotate_secret`, { token: polling.token, body });
  expect(await clicked(id)).toBe(200);
});

test('at most two live', async () => {
  const first = await rig.message(bot);
  await rotate(60);
  const second = await rig.message(bot, { elements: [{ type: 'button', action_id: 'go', text: 'Two' }] });
  await rotate(60);
  expect([await clicked(first.id), await clicked(second.id)]).toEqual([410, 200]);
});

test.each<[string, () => Promise<unknown>]>([
  ['a rotation without overlap', () => rotate(0)],
  ['DELETE', () => rig.api.call('DELETE', PATH, { token: bot.token })],
  ["an admin's reset", () => rig.fixture.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true })],
])('%s ends both', async (_name, end) => {
  const first = await rig.message(bot);
  await rotate(60);
  const second = await rig.message(bot, { elements: [{ type: 'button', action_id: 'go', text: 'Two' }] });
  await end();
  expect([await clicked(first.id), await clicked(second.id)]).toEqual([410, 410]);
  expect(
    await rig.api.db.query(
      'SELECT 1 FROM interactive_configs WHERE bot_id = $1 AND previous_secret IS NOT NULL',
      [bot.id],
    ),
  ).toEqual([]);
});

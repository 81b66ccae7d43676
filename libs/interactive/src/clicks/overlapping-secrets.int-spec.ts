import { verifyVersioned } from '@tieline/signing';
import type { ReceivedRequest } from '@tieline/testing';
import { InteractiveHarness } from '../testing/index.js';
import type { CalledBack } from '../testing/index.js';

const PATH = '/api/v1/bot/interactive_config';

let harness: InteractiveHarness;
let bot: CalledBack;

beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  bot = await harness.calledBack();
});
afterAll(() => harness?.close());

const rotate = async (overlap_seconds: number): Promise<string> =>
  (await harness.api.call('POST', `${PATH}/rotate_secret`, { token: bot.token, body: { overlap_seconds } }))
    .body.signing_secret;
const shownEnd = async (): Promise<unknown> =>
  (await harness.api.call('GET', PATH, { token: bot.token })).body.previous_secret_expires_at;
const expire = () =>
  harness.api.db.query(
    "UPDATE interactive_configs SET previous_secret_expires_at = now() - interval '1 second' WHERE bot_id = $1",
    [bot.id],
  );
const clicked = async (messageId: string): Promise<number> => (await harness.click(messageId)).status;

test('during the overlap of a rotation old buttons work and callbacks are signed with both secrets', async () => {
  const { id } = await harness.message(bot);
  const rotated = await rotate(60);
  expect(await clicked(id)).toBe(200);
  const [{ headers, body }] = harness.receiver.requests as [ReceivedRequest];
  const verifies = (secret: string, name: string): boolean =>
    verifyVersioned(secret, String(headers['x-service-timestamp']), body, String(headers[name]));
  expect(verifies(rotated, 'x-service-signature')).toBe(true);
  expect(verifies(bot.secret, 'x-service-signature-previous')).toBe(true);
  expect(await clicked((await harness.message(bot)).id)).toBe(200);
  expect(Math.abs(Date.parse(String(await shownEnd())) - Date.now() - 60_000)).toBeLessThan(30_000);
});

test('after the overlap only new buttons work, and no previous secret is reported', async () => {
  const before = await harness.message(bot);
  await rotate(60);
  const after = await harness.message(bot);
  await expire();
  expect([await clicked(before.id), await clicked(after.id)]).toEqual([410, 200]);
  expect(harness.receiver.requests[0]!.headers).not.toHaveProperty('x-service-signature-previous');
  expect(await shownEnd()).toBeUndefined();
});

test('buttons signed in poll mode before the first secret work during the overlap', async () => {
  const polling = await harness.polling();
  const { id } = await harness.message(polling);
  const config = { callback_url: `${harness.receiver.url}/clicks` };
  await harness.api.call('PATCH', PATH, { token: polling.token, body: config });
  const body = { overlap_seconds: 60 };
  await harness.api.call('POST', `${PATH}/rotate_secret`, { token: polling.token, body });
  expect(await clicked(id)).toBe(200);
});

test('at most two secrets are valid', async () => {
  const first = await harness.message(bot);
  await rotate(60);
  const second = await harness.message(bot, { elements: [{ type: 'button', action_id: 'go', text: 'Two' }] });
  await rotate(60);
  expect([await clicked(first.id), await clicked(second.id)]).toEqual([410, 200]);
});

test.each<[string, () => Promise<unknown>]>([
  ['a rotation without overlap', () => rotate(0)],
  ['DELETE', () => harness.api.call('DELETE', PATH, { token: bot.token })],
  [
    "an admin's reset",
    () => harness.fixture.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true }),
  ],
])('%s ends both', async (_name, end) => {
  const first = await harness.message(bot);
  await rotate(60);
  const second = await harness.message(bot, { elements: [{ type: 'button', action_id: 'go', text: 'Two' }] });
  await end();
  expect([await clicked(first.id), await clicked(second.id)]).toEqual([410, 410]);
  expect(
    await harness.api.db.query(
      'SELECT 1 FROM interactive_configs WHERE bot_id = $1 AND previous_secret IS NOT NULL',
      [bot.id],
    ),
  ).toEqual([]);
});

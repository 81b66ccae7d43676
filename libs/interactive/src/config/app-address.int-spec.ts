import { AppBots, AppBotsModule } from '@tieline/bots';
import type { SeededBot } from '@tieline/bots/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { verifyVersioned } from '@tieline/signing';
import { BY_SYSTEM } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { InteractiveHarness } from '../testing/index.js';

const SECRET = 'whsec_c2lnbnMgYWxsIGJvdHMgb2YgdGhlIGFwcA==';

let harness: InteractiveHarness;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [AppBotsModule]);
});
beforeEach(() => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
});
afterAll(() => harness?.close());

/** Installs the bot of an app that receives events and clicks at the receiver. */
async function installed(interactiveUrl = `${harness.receiver.url}/app`): Promise<SeededBot> {
  const { spaceId } = harness;
  const bots = harness.api.app.get(AppBots);
  return runInWorkerTx(harness.api.db, async (tx) => {
    const botId = await bots.install(
      tx,
      { spaceId, botId: null, origin: BY_SYSTEM },
      {
        displayName: 'Deploys',
        avatarUrl: '',
        scopes: ['messages:write', 'interactive'],
        installationId: uuidv7(),
        channelIds: [],
        eventUrl: `${harness.receiver.url}/events`,
        eventFormat: 'native',
        interactiveUrl,
        signingSecret: SECRET,
        firstBot: undefined,
      },
    );
    const token = await bots.issueToken(tx, { spaceId, botId, origin: BY_SYSTEM }, null);
    return { id: botId, token: String(token) };
  });
}

test('a click goes to the interactive_url of the app, signed with the signing secret of the app', async () => {
  const message = await harness.message(await installed());
  harness.answers({ update_message: { text: 'Deployed' } });
  expect((await harness.click(message.id)).body).toMatchObject({ result: 'update_message' });
  const [request] = harness.receiver.requests;
  expect(request?.url).toBe('/app');
  expect(JSON.parse(request!.body.toString())).toMatchObject({
    event_type: 'button.click',
    space_id: harness.spaceId,
  });
  expect(
    verifyVersioned(
      SECRET,
      String(request!.headers['x-service-timestamp']),
      request!.body,
      String(request!.headers['x-service-signature']),
    ),
  ).toBe(true);
});

test('an address that the bot itself configures comes first', async () => {
  const bot = await installed();
  const { status } = await harness.api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: bot.token,
    body: { callback_url: `${harness.receiver.url}/own` },
  });
  expect(status).toBe(200);
  await harness.click((await harness.message(bot)).id);
  expect(harness.receiver.requests.map(({ url }) => url)).toEqual(['/own']);
});

test('without an interactive_url the bot of an app needs an address of its own', async () => {
  const bot = await installed('');
  await expect(harness.message(bot)).rejects.toThrow();
});

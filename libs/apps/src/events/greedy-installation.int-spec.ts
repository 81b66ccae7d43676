import { BOTS_WORKER } from '@tieline/bots/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { startReceiver } from '@tieline/testing';
import type { ReceivedRequest, Receiver } from '@tieline/testing';
import { AppsWorkerModule } from '../apps.module.js';
import { OAuthFixture, startAppsApi } from '../testing/oauth-fixture.js';
import type { SeededApp } from '../testing/oauth-fixture.js';

const GREEDY_MESSAGES = 200;
const CALM_MESSAGES = 5;

let api: TestApi;
let owner: OAuthFixture;
let receiver: Receiver;
beforeAll(async () => {
  const env = {
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    DELIVERY_TIMEOUT_MS: '60000',
  };
  api = await startAppsApi(env, [...BOTS_WORKER, AppsWorkerModule]);
  [owner, receiver] = await Promise.all([OAuthFixture.of(api), startReceiver()]);
});
afterAll(async () => {
  await api?.close();
  await receiver?.close();
});

const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString());
/** Requests with messages of a space. */
const pushedTo = (spaceId: string): number =>
  receiver.requests.filter((request) => {
    const { event_type: type, space_id: space } = bodyOf(request);
    return type === 'MESSAGE_CREATED' && space === spaceId;
  }).length;

/** A space that installed the app, with a channel whose messages its bot receives. */
async function spaceWith(
  app: SeededApp,
): Promise<{ spaceId: string; say: (text: string) => Promise<unknown> }> {
  const oauth = await OAuthFixture.of(api);
  const { bot } = await oauth.install(app, oauth.space.owner.token);
  await oauth.admin('PATCH', `/bots/${bot.id}`, { event_types: ['MESSAGE_CREATED'] });
  const person = { id: oauth.space.owner.id, type: 'user' as const };
  const channel = await oauth.chat.conversation({ members: [person] });
  return { spaceId: oauth.space.spaceId, say: (text) => oauth.chat.post(channel, person, text) };
}

test('an installation that floods a slow app does not delay the events of another', async () => {
  const bot_scopes = ['events', 'messages:read'];
  const app = await owner.app({ event_url: receiver.url, bot_scopes, distribution: 'listed' });
  await api.db.query('UPDATE apps SET is_listed = true WHERE id = $1', [app.id]);
  const [greedy, calm] = [await spaceWith(app), await spaceWith(app)];
  let release = (): void => undefined;
  const released = new Promise<number>((resolve) => (release = () => resolve(200)));
  receiver.respond((request) => (bodyOf(request).space_id === greedy.spaceId ? released : 200));
  await Promise.all(Array.from({ length: GREEDY_MESSAGES }, (_, n) => greedy.say(`flood ${n}`)));
  await receiver.waitFor(
    (request) => bodyOf(request).space_id === greedy.spaceId && pushedTo(greedy.spaceId) > 0,
  );
  for (let n = 0; n < CALM_MESSAGES; n += 1) {
    await calm.say(`calm ${n}`);
    await receiver.waitFor(() => pushedTo(calm.spaceId) > n);
  }
  // Each of them overtook most of the flood.
  expect(pushedTo(greedy.spaceId)).toBeLessThan(GREEDY_MESSAGES / 2);
  release();
});

import { createHmac } from 'node:crypto';
import { AppsWorkerModule } from '@tieline/apps';
import { OAuthFixture, startAppsApi } from '@tieline/apps/testing';
import type { SeededApp } from '@tieline/apps/testing';
import { BOTS_WORKER, NO_SLACK_EVENTS } from '@tieline/bots/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, startReceiver } from '@tieline/testing';
import type { ReceivedRequest, Receiver } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceWorkerModule } from '../slack-surface-worker.module.js';

const ENV = {
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
  DELIVERY_BACKOFF_INITIAL_MS: '20',
  DELIVERY_BACKOFF_MAX_MS: '40',
};

let api: TestApi;
let oauth: OAuthFixture;
let receiver: Receiver;
let app: SeededApp;
beforeAll(async () => {
  const worker = BOTS_WORKER.filter((module) => module !== NO_SLACK_EVENTS);
  api = await startAppsApi(ENV, [...worker, SlackSurfaceWorkerModule, AppsWorkerModule]);
});
beforeEach(async () => {
  receiver = await startReceiver();
  oauth = await OAuthFixture.of(api);
  app = await oauth.app({ event_url: `${receiver.url}/slack/events`, event_format: 'slack' });
});
afterEach(() => receiver.close());
afterAll(() => api?.close());

const bodyOf = (request: ReceivedRequest) => JSON.parse(request.body.toString());
const heard = (type: string): Promise<ReceivedRequest> =>
  receiver.waitFor((request) => bodyOf(request).event?.type === type);
const uninstall = async () => {
  const [{ id }] = (await oauth.admin('GET', '/installations')).body.installations;
  await oauth.admin('DELETE', `/installations/${id}`);
};

/** Returns the signature that Slack's libraries expect. */
const signatureOf = ({ headers, body }: ReceivedRequest): string =>
  `v0=${createHmac('sha256', String(app.signingSecret))
    .update(`v0:${String(headers['x-slack-request-timestamp'])}:`)
    .update(body)
    .digest('hex')}`;

test('an app hears that it was uninstalled, in the form and with the signature of Slack', async () => {
  await oauth.install(app);
  await uninstall();
  const request = await heard('app_uninstalled');
  expect(request.headers['x-slack-signature']).toBe(signatureOf(request));
  expect(bodyOf(request)).toMatchObject({
    type: 'event_callback',
    team_id: slackId('space', oauth.space.spaceId),
    api_app_id: slackId('app', app.id),
    event_id: expect.stringMatching(/^Ev/),
    event_time: expect.any(Number),
    authorizations: [],
    event: { type: 'app_uninstalled', event_ts: expect.stringMatching(/^\d{10}\.\d{6}$/) },
  });
  expect(receiver.requests.map((one) => bodyOf(one).type)).toEqual(['event_callback']);
});

test('an app hears which tokens were revoked, again after a failure', async () => {
  let failed = 0;
  receiver.respond(() => (failed++ === 0 ? 503 : 200));
  const { bot } = await oauth.install(app);
  await oauth.send('/oauth/revoke', {
    form: { client_id: app.clientId, client_secret: app.clientSecret, token: bot.token },
  });
  const [first, second] = (await receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
  expect(bodyOf(second).event).toEqual({
    type: 'tokens_revoked',
    tokens: { oauth: [], bot: [slackId('user', bot.id)] },
    event_ts: expect.any(String),
  });
  expect(second.body).toEqual(first.body);
  expect(second.headers['x-slack-retry-num']).toBe('1');
});

test('an app in socket mode hears which tokens of people were revoked, others do not', async () => {
  const scopes = { bot_scopes: ['events', 'messages:read'], user_scopes: ['messages:read'] };
  const socketApp = await oauth.app({ event_format: 'slack', ...scopes });
  const native = await oauth.app({ name: 'Native', ...scopes });
  const bots = [(await oauth.install(socketApp)).bot, (await oauth.install(native)).bot];
  for (const { id } of bots) await oauth.admin('PATCH', `/bots/${id}`, { event_delivery_mode: 'poll' });
  const { authorizations } = (await oauth.person('GET', '/authorizations', oauth.space.owner.token)).body;
  for (const { id } of authorizations)
    await oauth.person('DELETE', `/authorizations/${id}`, oauth.space.owner.token);
  const queues = () =>
    Promise.all(
      bots.map(async ({ token }) => (await api.call('GET', '/api/v1/bot/events', { token })).body.events),
    );
  await eventually(async () =>
    expect(await queues()).toMatchObject([[{ event_type: 'slack.tokens_revoked' }], []]),
  );
  const [[record]] = await queues();
  expect(JSON.parse(record.payload_json)).toMatchObject({
    type: 'tokens_revoked',
    tokens: { oauth: [slackId('user', oauth.space.owner.id)], bot: [] },
  });
});

test('an app with subscriptions gets only those of its own events', async () => {
  const { bot } = await oauth.install(app);
  await oauth.admin('PATCH', `/bots/${bot.id}`, { slack_events: ['app_uninstalled', 'app_mention'] });
  await oauth.send('/oauth/revoke', {
    form: { client_id: app.clientId, client_secret: app.clientSecret, token: bot.token },
  });
  await uninstall();
  await heard('app_uninstalled');
  expect(receiver.requests.map((one) => bodyOf(one).event.type)).toEqual(['app_uninstalled']);
});

test.each([
  [503, 'http_error'],
  ['reset', 'connection_failed'],
] as const)('a retry after %j has the reason %s', async (failure, reason) => {
  receiver.respond(({ headers }) => ('x-slack-retry-num' in headers ? 200 : failure));
  await oauth.install(app);
  await uninstall();
  const retry = await receiver.waitFor(({ headers }) => 'x-slack-retry-num' in headers);
  expect(retry.headers['x-slack-retry-reason']).toBe(reason);
});

import { createRequire } from 'node:module';
import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { DirectoryModule } from '@tieline/directory';
import { SearchModule } from '@tieline/search';
import type { TestApi } from '@tieline/spaces/testing';
import { slackId } from './ids/slack-ids.js';
import { MethodRegistry } from './methods/method-registry.js';
import { SlackSurfaceModule } from './slack-surface.module.js';
import { slackToken } from './tokens/token-spellings.js';

const require = createRequire(import.meta.url);
type Answer = Record<string, any>;
interface Client {
  apiCall(method: string, args?: object): Promise<Answer>;
}

/** Methods that other tests call. */
const ELSEWHERE =
  /^(views\.|agents\.|apps\.|auth\.revoke|oauth\.|assistant\.threads\.|conversations\.(archive|close|create|invite|kick|mark|rename|set|unarchive)|chat\.(schedule|deleteScheduled)|files\.)/;
/** The clients log every error of an answer. */
const SILENT = Object.fromEntries(
  ['debug', 'error', 'getLevel', 'info', 'setLevel', 'setName', 'warn'].map((name) => [
    name,
    () => undefined,
  ]),
);

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  const rates = { RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' };
  api = await startBotsApi(rates, [AppsModule, DirectoryModule, SearchModule, SlackSurfaceModule]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  channel = slackId('publicChannel', await fixture.channelOf(bot));
  await fixture.admin('PATCH', '/space', { bots_see_emails: true });
});
afterAll(() => api?.close());

/** Calls every method of the registry and returns the names that were called. */
async function callAll(client: Client): Promise<string[]> {
  const called = new Set<string>();
  const call = async (method: string, args: object = {}): Promise<Answer> => {
    called.add(method);
    return client.apiCall(method, args);
  };
  const owner = slackId('user', fixture.space.owner.id);
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*b*' } }];
  const { user_id: user, bot_id: botId, team_id: team } = await call('auth.test');
  await call('auth.teams.list');
  await call('api.test', { foo: 'bar' });
  const { ts } = await call('chat.postMessage', {
    channel,
    text: 'hello there',
    blocks,
    metadata: { event_type: 'e', event_payload: {} },
  });
  await call('chat.postMessage', { channel, text: 'reply', thread_ts: ts });
  const { ts: other } = await call('chat.meMessage', { channel, text: 'waves' });
  await call('chat.update', { channel, ts, text: 'hello again', blocks });
  expect((await call('chat.getPermalink', { channel, message_ts: ts }))['permalink']).toMatch(/^http/);
  await call('reactions.add', { channel, timestamp: ts, name: 'tada' });
  expect((await call('reactions.get', { channel, timestamp: ts }))['message'].reactions[0].name).toBe('tada');
  await call('reactions.remove', { channel, timestamp: ts, name: 'tada' });
  await call('pins.add', { channel, timestamp: ts });
  expect((await call('pins.list', { channel }))['items']).toHaveLength(1);
  await call('pins.remove', { channel, timestamp: ts });
  const history = await call('conversations.history', { channel, limit: 10, include_all_metadata: true });
  expect(history['messages'].at(-1)).toMatchObject({ ts, text: 'hello again', blocks, reply_count: 1 });
  expect((await call('conversations.replies', { channel, ts }))['messages']).toHaveLength(2);
  const recipient = { recipient_user_id: owner, recipient_team_id: team };
  const stream = await call('chat.startStream', { channel, thread_ts: ts, ...recipient });
  await call('chat.appendStream', {
    channel,
    ts: stream['ts'],
    chunks: [{ type: 'markdown_text', text: 'a' }],
  });
  await call('chat.stopStream', { channel, ts: stream['ts'], markdown_text: 'b' });
  await call('chat.delete', { channel, ts: other });
  await call('conversations.info', { channel, include_num_members: true });
  await call('conversations.list', { types: 'public_channel,private_channel', limit: 100 });
  await call('users.conversations', { types: 'public_channel' });
  expect((await call('conversations.members', { channel }))['members']).toEqual([user]);
  const opened = await call('conversations.open', { users: owner, return_im: true });
  await call('chat.postEphemeral', { channel: opened['channel'].id, user: owner, text: 'only you', blocks });
  await call('conversations.leave', { channel });
  await call('conversations.join', { channel });
  expect((await call('users.info', { user: owner }))['user'].id).toBe(owner);
  expect((await call('users.list'))['members'].length).toBeGreaterThan(0);
  await call('users.lookupByEmail', { email: await emailOf() });
  await call('users.profile.get', { user: owner });
  await call('users.getPresence', { user: owner });
  expect((await call('bots.info', { bot: botId }))['bot'].user_id).toBe(user);
  for (const method of ['team.info', 'emoji.list', 'usergroups.list']) await call(method);
  await call('usergroups.users.list', { usergroup: 'S0' });
  await call('search.messages', { query: 'hello' });
  await call('assistant.search.context', { query: 'hello' });
  return [...called];
}

async function emailOf(): Promise<string> {
  const email = `ada@${bot.id}.test`;
  const { status } = await fixture.admin('POST', '/users', { display_name: 'Ada', email });
  expect(status).toBe(201);
  return email;
}

describe.each(['@slack/web-api', 'slack-web-api-7', 'slack-web-api-6'])('%s', (name) => {
  const { WebClient } = require(name) as { WebClient: new (token: string, options: object) => Client };
  const clientOf = (token: string): Client =>
    new WebClient(token, {
      slackApiUrl: `${api.url}/slack/api/`,
      logger: SILENT,
      retryConfig: { retries: 0 },
    });

  test('calls every method', async () => {
    const called = await callAll(clientOf(slackToken(bot.token)));
    const known = api.app.get(MethodRegistry).all();
    const missing = known.filter(({ name: method }) => !called.includes(method) && !ELSEWHERE.test(method));
    expect(missing.map((method) => method.name)).toEqual([]);
  });

  test('understands errors', async () => {
    const client = clientOf(slackToken(bot.token));
    await expect(
      client.apiCall('chat.postMessage', { channel: '#nowhere', text: 'x' }),
    ).rejects.toMatchObject({
      code: 'slack_webapi_platform_error',
      data: { ok: false, error: 'channel_not_found' },
    });
    await expect(client.apiCall('admin.teams.list')).rejects.toMatchObject({
      data: { error: 'unknown_method' },
    });
    await expect(clientOf('xoxb-wrong').apiCall('auth.test')).rejects.toMatchObject({
      data: { error: 'invalid_auth' },
    });
    await expect(clientOf('xapp-1-A-b').apiCall('auth.test')).rejects.toMatchObject({
      data: { error: 'not_allowed_token_type' },
    });
  });
});

import { createRequire } from 'node:module';
import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { SlackSurfaceModule } from './slack-surface.module.js';
import { slackToken } from './tokens/token-spellings.js';

const require = createRequire(import.meta.url);
type Answer = Record<string, any>;
interface Client {
  apiCall(method: string, args?: object): Promise<Answer>;
}

/** The clients log every error of an answer. */
const SILENT = Object.fromEntries(
  ['debug', 'error', 'getLevel', 'info', 'setLevel', 'setName', 'warn'].map((name) => [
    name,
    () => undefined,
  ]),
);

let api: TestApi;
beforeAll(async () => {
  api = await startBotsApi({}, [AppsModule, SlackSurfaceModule]);
});
afterAll(() => api?.close());

describe.each(['@slack/web-api', 'slack-web-api-7', 'slack-web-api-6'])('%s', (name) => {
  const { WebClient } = require(name) as { WebClient: new (token: string, options: object) => Client };
  const clientOf = (token: string): Client =>
    new WebClient(token, {
      slackApiUrl: `${api.url}/slack/api/`,
      logger: SILENT,
      retryConfig: { retries: 0 },
    });

  test('understands errors', async () => {
    const bot = await (await BotsFixture.of(api)).bot();
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

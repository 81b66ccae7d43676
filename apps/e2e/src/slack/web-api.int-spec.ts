import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { call, expectOk } from '../tieline.js';
import { SILENT } from './silent-logger.js';
import { SlackWorkspace, spelled } from './slack-workspace.js';
import type { SlackBot } from './slack-workspace.js';
import { spelledIds, WebApiCalls } from './web-api-calls.js';
import type { WebApiClient, WebApiScene } from './web-api-calls.js';

const require = createRequire(import.meta.url);
const PAGE = readFileSync(new URL('../../../../docs/slack-apps.md', import.meta.url), 'utf8');
let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await SlackWorkspace.start();
  await slack.admin('PATCH', '/space', { bots_see_emails: true });
});
afterAll(() => slack?.close());

/** Methods that the page lists. A test of the surface compares it with the code. */
const methods = (): string[] => {
  const [, section = ''] = PAGE.split('\n## Methods\n');
  return [...section.split('\n## ')[0]!.matchAll(/^\| *`([\w.]+)` *\|/gm)].map(([, name = '']) => name);
};

async function sceneOf(bot: SlackBot): Promise<WebApiScene> {
  const { id } = (await slack.client('GET', '/me'))['user'];
  const email = `ada@${bot.id}.test`;
  await slack.admin('POST', '/users', { display_name: 'Ada', email });
  const receiver = await slack.tieline.receiver();
  const name = `c${bot.id.slice(-12)}`;
  const command = { name, callback_url: `${receiver.url}/commands` };
  await expectOk(call(slack.api, 'POST', `/api/v1/bots/${bot.id}/commands`, bot.token, command));
  return {
    ...spelledIds(id, slack.channel),
    email,
    appToken: spelled('xapp-', bot),
    async trigger() {
      // Commands of other modes are sent to the address.
      await slack.admin('PATCH', `/bots/${bot.id}`, { event_delivery_mode: 'none' });
      await slack.client('POST', `/conversations/${slack.channel}/commands`, { text: `/${name}` });
      const form = new URLSearchParams(String(receiver.requests.at(-1)?.body));
      return form.get('trigger_id') ?? '';
    },
    async download(url) {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${spelled('xoxb-', bot)}` } });
      return answer.text();
    },
  };
}

test.each(['@slack/web-api', 'slack-web-api-7', 'slack-web-api-6'])(
  '%s calls every method and reads the answers',
  async (name) => {
    const { WebClient } = require(name) as {
      WebClient: new (token: string, options: object) => WebApiClient;
    };
    const bot = await slack.bot({ event_delivery_mode: 'poll' });
    const client = new WebClient(spelled('xoxb-', bot), {
      slackApiUrl: slack.slackApiUrl,
      logger: SILENT,
      retryConfig: { retries: 0 },
    });
    const calls = new WebApiCalls(client, await sceneOf(bot));
    await calls.all();
    expect([...calls.called].sort()).toEqual(methods().sort());
  },
);

import bolt from '@slack/bolt';
import type { App } from '@slack/bolt';
import { freePort } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { SILENT } from './silent-logger.js';
import { spelled } from './slack-workspace.js';
import type { SlackBot, SlackWorkspace } from './slack-workspace.js';

/** Creates a stock Bolt app of a bot, in socket mode or behind HTTP. It is not started. */
export function boltApp(slack: SlackWorkspace, bot: SlackBot, mode: 'socket' | 'HTTP'): App {
  return new bolt.App({
    logger: SILENT as never,
    logLevel: 'error' as never,
    token: spelled('xoxb-', bot),
    clientOptions: { slackApiUrl: slack.slackApiUrl },
    ...(mode === 'socket'
      ? { socketMode: true, appToken: spelled('xapp-', bot) }
      : { signingSecret: bot.secret }),
  });
}

/**
 * Runs a Bolt app of a new bot, whose events and interactions it gets.
 * @param use gets the address of the app behind HTTP, which is undefined in socket mode
 */
export async function withBoltApp(
  slack: SlackWorkspace,
  mode: 'socket' | 'HTTP',
  use: (bot: SlackBot, app: App, url?: string) => Promise<void>,
): Promise<void> {
  const port = mode === 'HTTP' ? await freePort() : undefined;
  const url = port === undefined ? undefined : `http://127.0.0.1:${port}/slack/events`;
  const delivery = url === undefined ? {} : { webhook_url: url };
  const bot = await slack.bot({ event_delivery_mode: url === undefined ? 'poll' : 'webhook', ...delivery });
  if (url !== undefined) {
    const config = { callback_url: url };
    await expectOk(call(slack.api, 'PATCH', '/api/v1/bot/interactive_config', bot.token, config));
  }
  const app = boltApp(slack, bot, mode);
  await (port === undefined ? app.start() : app.start(port));
  try {
    await use(bot, app, url);
  } finally {
    await app.stop();
  }
}

import type { App } from '@slack/bolt';
import { slackId } from '@tieline/slack-surface';
import { eventually, EventStreamClient } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { withBoltApp } from './bolt-app.js';
import { SlackWorkspace } from './slack-workspace.js';
import type { SlackBot } from './slack-workspace.js';

let slack: SlackWorkspace;
let stream: EventStreamClient;
beforeAll(async () => {
  slack = await SlackWorkspace.start();
  stream = await EventStreamClient.open(`${slack.api.url}/api/v1/client/stream`, slack.workspace.ownerToken);
});
afterAll(async () => {
  stream?.close();
  await slack?.close();
});

const text = (value: string): { type: 'plain_text'; text: string } => ({ type: 'plain_text', text: value });
const modal = (title: string, shown: string): any => ({
  type: 'modal',
  title: text(title),
  blocks: [{ type: 'section', text: text(shown) }],
});

/** Waits for a view with this title and text. */
const shown = (title: string, value: string): Promise<void> =>
  eventually(() =>
    expect(stream.events).toContainEqual(
      expect.objectContaining({
        event: 'view.opened',
        view: expect.objectContaining({
          title: text(title),
          blocks: [expect.objectContaining({ text: expect.objectContaining({ text: value }) })],
        }),
      }),
    ),
  );

async function useShortcuts(bot: SlackBot, app: App, name: string): Promise<void> {
  app.shortcut({ callback_id: 'new', type: 'shortcut' }, async ({ ack, shortcut, client }) => {
    await ack();
    await client.views.open({ trigger_id: shortcut.trigger_id, view: modal(name, shortcut.type) });
  });
  app.shortcut(
    { callback_id: 'file', type: 'message_action' },
    async ({ ack, shortcut, client, respond }) => {
      await ack();
      const shownText = `${shortcut.channel.id} ${shortcut.message.text}`;
      await client.views.open({ trigger_id: shortcut.trigger_id, view: modal(name, shownText) });
      await respond(`filed by ${name}`);
    },
  );
  const settings = [
    { callback_id: 'file', name: 'File', type: 'message' },
    { callback_id: 'new', name: 'New', type: 'global' },
  ];
  const body = { shortcuts: settings };
  await expectOk(call(slack.api, 'PUT', '/api/v1/bot/shortcuts', bot.token, body));
  const { shortcuts } = await slack.client('GET', '/shortcuts');
  const [file, create] = shortcuts.filter((one: any) => one.bot_id === bot.id);
  await slack.client('POST', `/shortcuts/${create.id}`, {});
  await shown(name, 'shortcut');
  const posted = await slack.client('POST', `/conversations/${slack.channel}/messages`, { text: 'Down' });
  await slack.client('POST', `/shortcuts/${file.id}`, { message_id: posted.message_id });
  await shown(name, `${slackId('publicChannel', slack.channel)} Down`);
  await eventually(() =>
    expect(stream.events).toContainEqual(
      expect.objectContaining({ event: 'ephemeral', text: `filed by ${name}` }),
    ),
  );
}

test.each(['socket', 'HTTP'] as const)(
  'shortcuts of both types open views of a Bolt app by %s',
  async (mode) => {
    await withBoltApp(slack, mode, (bot, app) => useShortcuts(bot, app, mode));
  },
);

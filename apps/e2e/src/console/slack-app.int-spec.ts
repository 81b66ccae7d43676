import bolt from '@slack/bolt';
import type { App } from '@slack/bolt';
import { SlackWorkspace, spelled } from '../slack/slack-workspace.js';
import type { SlackBot } from '../slack/slack-workspace.js';
import { browserTest, ConsoleHarness } from './browser.js';

let slack: SlackWorkspace | undefined;
let started: ConsoleHarness | undefined;
let bot: SlackBot;
let app: App;

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });

const FORM = {
  type: 'modal' as const,
  callback_id: 'form',
  title: plain('New ticket'),
  submit: plain('Create'),
  close: plain('Never mind'),
  blocks: [
    { type: 'section', text: mrkdwn('What is *wrong*?') },
    {
      type: 'input',
      block_id: 'title',
      label: plain('Title'),
      element: { type: 'plain_text_input', action_id: 'value' },
    },
    {
      type: 'input',
      block_id: 'urgency',
      label: plain('Urgency'),
      optional: true,
      element: {
        type: 'static_select',
        action_id: 'value',
        options: ['Low', 'High'].map((name) => ({ text: plain(name), value: name.toLowerCase() })),
      },
    },
  ],
};

/** Listeners as in the official starter: a message, a button, a modal and a Home tab. */
function listen(of: App): void {
  of.message('hello', async ({ message, say }) => {
    await say({
      text: 'Hi',
      blocks: [
        {
          type: 'section',
          text: mrkdwn(`Hi <@${(message as unknown as { user: string }).user}>, *how* are you?`),
          accessory: { type: 'button', action_id: 'open', text: plain('Open a ticket') },
        },
      ],
    });
  });
  of.action('open', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: (body as { trigger_id: string }).trigger_id, view: FORM as never });
  });
  of.view('form', async ({ ack, view, client, body }) => {
    const values = view.state.values;
    const title = values['title']?.['value']?.value ?? '';
    if (title.length < 5)
      return ack({ response_action: 'errors', errors: { title: 'The title is too short.' } });
    await ack();
    const urgency = values['urgency']?.['value']?.selected_option?.value ?? 'none';
    const { channel } = await client.conversations.open({ users: body.user.id });
    await client.chat.postMessage({ channel: channel!.id!, text: `Ticket: ${title} (${urgency})` });
  });
  const home = (text: string) => ({
    type: 'home' as const,
    blocks: [
      { type: 'header', text: plain(text) },
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'again', text: plain('Refresh'), style: 'primary' }],
      },
    ],
  });
  of.event('app_home_opened', async ({ event, client }) => {
    if (event.tab === 'home')
      await client.views.publish({ user_id: event.user, view: home('Welcome home') as never });
  });
  of.action('again', async ({ ack, body, client }) => {
    await ack();
    await client.views.publish({ user_id: body.user.id, view: home('Refreshed') as never });
  });
}

beforeAll(async () => {
  const workspace = await SlackWorkspace.start();
  slack = workspace;
  started = await ConsoleHarness.start({
    product: () => Promise.resolve({ tieline: workspace.tieline, api: workspace.api }),
  });
  if (!started) return;
  bot = await workspace.bot({ event_delivery_mode: 'poll' });
  app = new bolt.App({
    logLevel: 'error' as never,
    socketMode: true,
    token: spelled('xoxb-', bot),
    appToken: spelled('xapp-', bot),
    clientOptions: { slackApiUrl: workspace.slackApiUrl },
  });
  listen(app);
  await app.start();
}, 120_000);

afterAll(async () => {
  await app?.stop();
  await started?.close();
  await slack?.proxy.close();
});

browserTest('a stock Bolt app answers, opens a modal, reads it, and shows a Home tab', async () => {
  const { workspace, channel } = slack!;
  const page = await started!.openSignedIn(workspace.ownerToken, `/chat/${channel}`);
  const input = page.getByRole('combobox', { name: /^Message to/ });
  await input.fill('hello');
  await input.press('Enter');
  await page.getByText('how are you?').waitFor();
  await page.getByRole('button', { name: 'Open a ticket' }).click();

  const dialog = page.getByRole('dialog', { name: 'New ticket' });
  await dialog.waitFor();
  await dialog.getByRole('textbox', { name: 'Title' }).fill('abc');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('The title is too short.').waitFor();
  expect(await started!.axeViolations(page)).toEqual([]);
  await started!.takeScreenshots(page, 'app-modal');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('The printer burns');
  await dialog.getByRole('button', { name: /Urgency/ }).click();
  await page.getByRole('option', { name: 'High' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Bolt' }).click();
  await page.getByText('Ticket: The printer burns (high)').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByText('Welcome home').waitFor();
  expect(await started!.axeViolations(page)).toEqual([]);
  await started!.takeScreenshots(page, 'app-home');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Refreshed').waitFor();
});

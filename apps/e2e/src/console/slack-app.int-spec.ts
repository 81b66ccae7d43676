import bolt from '@slack/bolt';
import type { App } from '@slack/bolt';
import { boltApp } from '../slack/bolt-app.js';
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
    {
      type: 'input',
      block_id: 'count',
      label: plain('Printers'),
      optional: true,
      element: {
        type: 'number_input',
        action_id: 'value',
        is_decimal_allowed: false,
        min_value: '1',
        max_value: '5',
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

/** Listeners as in the official agents: suggestions, a stream with steps, feedback. */
function listenAsAgent(of: App): void {
  of.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'messages') return;
    await client.assistant.threads.setSuggestedPrompts({
      channel_id: event.channel,
      title: 'Ask about a build',
      prompts: [{ title: 'Build status', message: 'Is the build green?' }],
    } as never);
  });
  of.message('Is the build', async ({ message, client, context }) => {
    const { channel, ts, user } = message as { channel: string; ts: string; user: string };
    await client.assistant.threads.setStatus({ channel_id: channel, thread_ts: ts, status: 'is reading…' });
    const streamer = client.chatStream({
      channel,
      thread_ts: ts,
      recipient_user_id: user,
      recipient_team_id: context.teamId!,
      task_display_mode: 'plan',
    });
    const step = { type: 'task_update' as const, id: '1', title: 'Read the log' };
    await streamer.append({
      chunks: [
        { type: 'plan_update', title: 'Looking' },
        { ...step, status: 'in_progress' },
      ],
    });
    await streamer.append({
      chunks: [{ ...step, status: 'complete' }],
      markdown_text: 'The build is **green**.',
    });
    const choice = (text: string, value: string) => ({ text: plain(text), value });
    const feedback = {
      type: 'feedback_buttons',
      action_id: 'feedback',
      positive_button: choice('Good', 'good'),
      negative_button: choice('Bad', 'bad'),
    };
    await streamer.stop({ blocks: [{ type: 'context_actions', elements: [feedback] }] as never });
  });
  of.action('feedback', async ({ ack, action, body, client }) => {
    await ack();
    const { channel, user, message } = body as unknown as Record<'channel' | 'user', { id: string }> & {
      message: { ts: string };
    };
    const { value } = action as { value: string };
    const place = { channel: channel.id, user: user.id, thread_ts: message.ts };
    await client.chat.postEphemeral({ ...place, text: `Noted: ${value}` });
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
});

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
  const submissions: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/submit')) submissions.push(request.url());
  });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('abc');
  await dialog.getByRole('textbox', { name: 'Printers' }).fill('6');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Enter 5 or less.').waitFor();
  expect(submissions).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Printers' }).fill('5');
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

browserTest(
  'a stock agent suggests a question, streams its answer with steps, and gets feedback',
  async () => {
    const workspace = slack!;
    const agent = await workspace.bot({ event_delivery_mode: 'poll', display_name: 'Agent' });
    const agentApp = boltApp(workspace, agent, 'socket');
    listenAsAgent(agentApp);
    await agentApp.start();
    try {
      const { conversation_id: id } = await workspace.client('POST', '/dm', { user_id: agent.id });
      const page = await started!.openSignedIn(workspace.workspace.ownerToken, `/chat/${id}`);
      await page.getByRole('group', { name: 'Suggestions of Agent' }).getByText('Build status').click();
      const question = page.getByRole('article', { name: 'Owner' }).filter({ hasText: '1 reply' });
      await question.getByRole('link', { name: /^1 reply/ }).click();
      const thread = page.getByRole('region', { name: 'Thread' });
      await thread.getByText('The build is green.').waitFor();
      await thread.getByText('Read the log').waitFor();
      expect(await started!.axeViolations(page)).toEqual([]);
      await thread.getByRole('button', { name: 'Good' }).click();
      await page.getByText('Noted: good').waitFor();
      await page.reload();
      await thread.getByRole('button', { name: 'Good', pressed: true }).waitFor();
    } finally {
      await agentApp.stop();
    }
  },
);

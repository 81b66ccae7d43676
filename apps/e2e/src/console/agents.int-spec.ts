import { eventually } from '@tieline/testing';
import { browserTest, ConsoleHarness, tabTo } from './browser.js';
import type { ConsoleSpace } from './browser.js';
import { PollingBot } from './polling-bot.js';

let started: ConsoleHarness | undefined;
let space: ConsoleSpace;
let bot: PollingBot;

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

beforeAll(async () => {
  started = await ConsoleHarness.start();
  if (!started) return;
  space = await started.createSpace();
  bot = await PollingBot.create(started, space, 'deploys');
});
afterAll(() => started?.close());

const ask = async (more: object): Promise<string> => {
  const body = { conversation_id: bot.channelId, title: 'Deploy?', ...more };
  return (await harness().call('POST', '/api/v1/bot/approvals', bot.token, body)).approval.id as string;
};
const approvalOf = async (id: string): Promise<Record<string, any>> =>
  (await harness().call('GET', `/api/v1/bot/approvals/${id}`, bot.token)).approval as Record<string, any>;

browserTest('a person sees what waits for them, with arguments and digest, and approves it', async () => {
  const page = await harness().openSignedIn(space.ownerToken, '/waiting');
  await page.getByText('Nothing waits for you').waitFor();
  const id = await ask({
    title: 'Deploy v1?',
    tool: 'deploy',
    arguments: { version: 'v1\u200b', notes: 'x'.repeat(1000) },
  });
  const card = page.getByRole('region', { name: 'Approval: Deploy v1?' });
  await card.waitFor();
  await card.getByText('v1\\u200b').waitFor();
  await card.getByText(/^SHA-256 [0-9a-f]{64}$/).waitFor();
  await card.getByText('Deployer in deploys').waitFor();
  await card.getByRole('button', { name: 'Show 700 more characters' }).click();
  await card.getByRole('button', { name: 'Show less' }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'waiting');
  await card.getByLabel('Comment').fill('Fine.');
  await card.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Nothing waits for you').waitFor();
  expect(await approvalOf(id)).toMatchObject({ state: 'approved', result: { comment: 'Fine.' } });
});

browserTest('the card in the conversation asks for the form, and shows the decision', async () => {
  const form = { title: 'When?', fields: [{ id: 'ticket', type: 'text', label: 'Ticket', required: true }] };
  const id = await ask({ title: 'Deploy v2?', form });
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
  const card = page.getByRole('region', { name: 'Approval: Deploy v2?' });
  await page.getByRole('link', { name: 'Waiting for you 1' }).waitFor();
  await harness().takeScreenshots(page, 'chat-approval');
  await card.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'When?' });
  await dialog.getByLabel('Ticket').fill('T-1');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await card.getByText('Approved', { exact: true }).waitFor();
  expect((await approvalOf(id)).result.values).toEqual({ ticket: 'T-1' });
});

browserTest('an admin approves always, and deletes the rule', async () => {
  const options = [
    { id: 'yes', label: 'Yes', kind: 'approve' },
    { id: 'always', label: 'Always', kind: 'approve_always' },
  ];
  const asked = { title: 'Deploy v3?', tool: 'deploy-always', options };
  const id = await ask(asked);
  const page = await harness().openSignedIn(space.ownerToken, '/waiting');
  const card = page.getByRole('region', { name: 'Approval: Deploy v3?' });
  await card.getByRole('button', { name: 'Always' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve always' });
  await dialog.getByText('With any arguments').click();
  await dialog.getByRole('button', { name: 'Approve always' }).click();
  await eventually(async () => expect((await approvalOf(id)).state).toBe('approved'));
  expect(await approvalOf(await ask(asked))).toMatchObject({ state: 'approved' });
  const admin = await harness().openSignedIn(space.ownerToken, '/approvals');
  const remove = admin.getByRole('button', { name: 'Delete the rule for deploy-always' });
  await remove.waitFor();
  expect(await harness().axeViolations(admin)).toEqual([]);
  await harness().takeScreenshots(admin, 'approvals');
  await remove.click();
  await admin.getByRole('button', { name: 'Delete rule', exact: true }).click();
  await admin.getByText('No rules').waitFor();
  expect(await approvalOf(await ask(asked))).toMatchObject({ state: 'pending' });
});

browserTest('the status of a bot is shown until it writes, in conversations and threads', async () => {
  const { message_id: root } = await bot.say('A question');
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}?thread=${root}`);
  const here = page.getByRole('region', { name: 'Messages' }).first();
  const thread = page.getByRole('region', { name: 'Thread' });
  const statusIn = (place: typeof page | typeof here) =>
    place.getByRole('status', { name: 'What bots are doing' });
  await thread.getByText('No replies yet').waitFor();
  const path = `/conversations/${bot.channelId}/status`;
  await bot.call('PUT', path, {
    text: 'is searching the tickets',
    loading_messages: ['Reading 2024', 'Reading 2025'],
  });
  await bot.call('PUT', path, { text: 'is thinking about it', thread_id: root });
  await statusIn(here).getByText('Deployer is searching the tickets').waitFor();
  await statusIn(thread).getByText('Deployer is thinking about it').waitFor();
  await statusIn(here).getByText('Reading 2025').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-status');
  // A page that opens later shows what is current.
  await page.reload();
  await statusIn(here).getByText('is searching the tickets').waitFor();
  await bot.say('Found it');
  await statusIn(here).getByText('is searching').waitFor({ state: 'detached' });
  await statusIn(thread).getByText('Deployer is thinking about it').waitFor();
  await bot.call('DELETE', `${path}?thread_id=${root}`);
  await statusIn(thread).getByText('is thinking').waitFor({ state: 'detached' });
});

browserTest('a prompt is sent as the person, and the title of a thread is shown and followed', async () => {
  const { message_id: root } = await bot.say('Releases');
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
  const prompts = page.getByRole('group', { name: 'Suggestions of Deployer' });
  await bot.call('PUT', `/conversations/${bot.channelId}/prompts`, {
    title: 'Ask about a release',
    prompts: [
      { title: 'Release status', message: 'What is in release 4711?' },
      { title: 'Last deployment', message: 'When did we deploy last?' },
    ],
  });
  await prompts.getByText('Ask about a release').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-prompts');
  await page.getByRole('log').focus();
  await tabTo(page, 'Last deployment');
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: 'Owner' }).getByText('When did we deploy last?').waitFor();
  await bot.call('PUT', `/conversations/${bot.channelId}/prompts`, { prompts: [] });
  await prompts.waitFor({ state: 'detached' });

  await bot.call('PATCH', `/threads/${root}`, { title: 'Release 4711' });
  await page.getByRole('link', { name: 'Release 4711' }).click();
  const thread = page.getByRole('region', { name: 'Thread' });
  await thread.getByRole('heading', { name: 'Release 4711' }).waitFor();
  await bot.call('PUT', `/conversations/${bot.channelId}/prompts`, {
    prompts: [{ title: 'And then?', message: 'What comes next?' }],
    thread_id: root,
  });
  await thread.getByRole('button', { name: 'And then?' }).waitFor();
  await harness().takeScreenshots(page, 'chat-titled');
  await thread.getByRole('button', { name: 'And then?' }).click();
  await thread.getByRole('article', { name: 'Owner' }).getByText('What comes next?').waitFor();
  await bot.call('PATCH', `/threads/${root}`, { title: null });
  await thread.getByRole('heading', { name: 'Thread' }).waitFor();
});

browserTest('thumbs are remembered, changed and withdrawn, and icon buttons reach the bot', async () => {
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
  const { message_id: id } = await bot.say('It was the linker.', {
    version: 1,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: 'It was the linker.' } },
      {
        type: 'context_actions',
        elements: [
          { type: 'feedback_buttons', action_id: 'good', negative: { text: 'Wrong' } },
          { type: 'icon_button', action_id: 'again', icon: 'refresh', text: 'Try again' },
        ],
      },
    ],
  });
  const message = page.getByRole('article').filter({ hasText: 'It was the linker.' });
  const good = message.getByRole('button', { name: /^Good answer/ });
  const wrong = message.getByRole('button', { name: /^Wrong/ });
  const isPressed = (thumb: typeof good) => thumb.getAttribute('aria-pressed');
  const feedback = async () =>
    (await harness().call('GET', `/api/v1/client/messages/${id}`, space.ownerToken)).message.feedback;
  const pressed = async (choice: string) =>
    expect((await bot.answer('button.click', { ephemeral_text: 'Noted.' })).feedback).toBe(choice);
  await good.click();
  await pressed('positive');
  await page.getByRole('button', { name: 'Good answer, 1' }).waitFor();
  expect(await feedback()).toEqual({ positive: 1, negative: 0, mine: 'positive' });
  expect(await harness().axeViolations(page)).toEqual([]);
  await message.hover();
  await harness().takeScreenshots(page, 'chat-feedback');
  await page.getByRole('log').focus();
  await tabTo(page, 'Wrong');
  await page.keyboard.press('Enter');
  await pressed('negative');
  await page.getByRole('button', { name: 'Wrong, 1' }).waitFor();
  expect([await isPressed(good), await isPressed(wrong)]).toEqual(['false', 'true']);

  await page.reload();
  await page.getByRole('button', { name: 'Wrong, 1' }).waitFor();
  expect([await isPressed(good), await isPressed(wrong)]).toEqual(['false', 'true']);
  await wrong.click();
  await pressed('none');
  await page.getByRole('button', { name: 'Wrong', exact: true }).waitFor();
  expect(await feedback()).toEqual({ positive: 0, negative: 0, mine: 'none' });

  await message.getByRole('button', { name: 'Try again' }).click();
  const event = await bot.answer('button.click', { ephemeral_text: 'Again, then.' });
  expect(event.action_id).toBe('again');
  await page.getByText('Again, then.').waitFor();
});

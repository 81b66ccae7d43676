import { eventually } from '@tieline/testing';
import type { Page } from 'playwright-core';
import { browserTest, ConsoleHarness, tabTo } from './browser.js';
import type { ConsoleSpace } from './browser.js';
import { PollingBot } from './polling-bot.js';
import { coloured } from './png.js';

let started: ConsoleHarness | undefined;
let space: ConsoleSpace;
let bot: PollingBot;
let ann: { id: string; token: string };

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

beforeAll(async () => {
  started = await ConsoleHarness.start();
  if (!started) return;
  space = await started.createSpace();
  bot = await PollingBot.create(started, space, 'deploys');
  const { user, token } = await started.call('POST', '/api/v1/admin/users', space.ownerToken, {
    display_name: 'Ann Smith',
    role: 'member',
  });
  ann = { id: user.id, token };
  await started.call('POST', `/api/v1/client/conversations/${bot.channelId}/join`, ann.token);
});

afterAll(() => started?.close());

const options = ['Alpha', 'Beta', 'Gamma'].map((label) => ({ value: label.toLowerCase(), label }));

const CHOICES = {
  version: 1,
  blocks: [
    {
      type: 'actions',
      elements: [
        { type: 'user_select', action_id: 'who', placeholder: 'Who' },
        { type: 'conversation_select', action_id: 'where', placeholder: 'Where' },
        { type: 'date_picker', action_id: 'day', placeholder: 'Day' },
        { type: 'time_picker', action_id: 'hour', placeholder: 'Hour' },
      ],
    },
    {
      type: 'actions',
      elements: [
        { type: 'multi_select', action_id: 'some', placeholder: 'Some', options, max_selected: 2 },
        { type: 'radio', action_id: 'one', options, initial: 'alpha' },
        { type: 'overflow', action_id: 'rest', options },
        {
          type: 'button',
          action_id: 'drop',
          text: 'Drop',
          style: 'danger',
          confirm: { title: 'Drop it?', text: 'It is gone for good.', confirm_label: 'Drop it' },
        },
      ],
    },
  ],
};

/** Types into the parts of a date or time field, in the order of its language. */
async function typeInto(page: Page, name: string, digits: string): Promise<void> {
  const first = page
    .getByRole('group', { name, exact: true })
    .getByRole('spinbutton', { disabled: false })
    .first();
  // Typing is blocked while a click is in flight.
  await eventually(async () => {
    await first.focus();
    expect(await first.evaluate((part: any) => part === part.ownerDocument.activeElement)).toBe(true);
  });
  await page.keyboard.type(digits);
}

browserTest('a menu of conversations that renders before their list is loaded offers them', async () => {
  const page = await harness().openSignedIn(space.ownerToken, '/');
  await bot.say('Whereto?', {
    version: 1,
    blocks: [
      {
        type: 'actions',
        elements: [{ type: 'conversation_select', action_id: 'place', placeholder: 'Place' }],
      },
    ],
  });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/v1/client/conversations?*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/chat/${bot.channelId}`);
  const place = page.getByRole('combobox', { name: 'Place' });
  await place.waitFor();
  release();
  await page.getByRole('link', { name: 'deploys' }).waitFor();
  await place.press('ArrowDown');
  await page.getByRole('option', { name: 'deploys' }).waitFor();
});

browserTest('every kind of choice reaches the bot unchanged, and only after confirmation', async () => {
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
  await bot.say('Choose', CHOICES);
  const chosen = async (action: string, values?: string[]) => {
    const event = await bot.answer(values ? 'select.submit' : 'button.click', {
      ephemeral_text: `got ${action}`,
    });
    expect([event.action_id, event.selected_values]).toEqual([action, values]);
    await page.getByText(`got ${action}`).last().waitFor();
  };
  const who = page.getByRole('combobox', { name: 'Who' });
  await who.fill('ann');
  await page.getByRole('option', { name: 'Ann Smith' }).click();
  await chosen('who', [ann.id]);
  // The log may still scroll to the new message, which closes lists.
  await eventually(
    async () => {
      await page.getByRole('combobox', { name: 'Where' }).press('ArrowDown');
      await page.getByRole('option', { name: 'deploys' }).click({ timeout: 5_000 });
    },
    { timeoutMs: 60_000 },
  );
  await chosen('where', [bot.channelId]);
  await typeInto(page, 'Day', '24122026');
  await page.keyboard.press('Enter');
  await chosen('day', ['2026-12-24']);
  await page.getByRole('group', { name: 'Day' }).getByRole('button').click();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-calendar');
  await page.getByRole('button', { name: 'Friday, 25 December 2026' }).click();
  await chosen('day', ['2026-12-25']);
  await typeInto(page, 'Hour', '0930');
  await page.keyboard.press('Enter');
  await chosen('hour', ['09:30']);
  await page.getByRole('radio', { name: 'Beta' }).check();
  await chosen('one', ['beta']);
  await page.getByRole('button', { name: /^Some/ }).click();
  for (const name of ['Alpha', 'Beta', 'Gamma'])
    await page.getByRole('checkbox', { name }).check({ force: true });
  await page.getByText('Choose 0 to 2.').waitFor();
  await page.getByRole('checkbox', { name: 'Gamma' }).uncheck({ force: true });
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send', exact: true }).last().click();
  await chosen('some', ['alpha', 'beta']);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Gamma' }).click();
  await chosen('rest', ['gamma']);
  await page.getByRole('button', { name: 'Drop', exact: true }).click();
  await page.getByText('It is gone for good.').waitFor();
  await page.getByRole('button', { name: 'Drop it' }).click();
  await chosen('drop');
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-choices');
});

browserTest('files show as pictures and names, are downloaded, and go to the bot with a form', async () => {
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
  const picture = await bot.upload('chart.png', 'image/png', coloured(320, 180));
  const report = await bot.upload('report.csv', 'text/csv', Buffer.from('quarter,total\nQ3,42\n'));
  await bot.say('The third quarter', undefined, {
    attachments: [{ file_id: picture }, { file_id: report }],
  });
  const shown = page.getByRole('img', { name: 'chart.png' });
  await shown.waitFor();
  await eventually(async () => expect(await shown.evaluate((img: any) => img.naturalWidth)).toBe(320));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Download report.csv/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('report.csv');

  await bot.say('Anything to add?', {
    version: 1,
    blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'add', text: 'Add a file' }] }],
  });
  await page.getByRole('button', { name: 'Add a file' }).click();
  await bot.answer('button.click', {
    open_modal: {
      validate: true,
      title: 'A file',
      fields: [
        { id: 'proof', type: 'file', label: 'Proof', required: true },
        { id: 'person', type: 'user', label: 'From whom' },
        { id: 'day', type: 'date', label: 'Of which day', required: true },
      ],
    },
  });
  await page.getByRole('group', { name: 'Of which day' }).waitFor();
  const marks = ['Proof', 'From whom', 'Of which day'].map((label) =>
    page.getByText(label, { exact: true }).evaluate((element: any) => {
      const { defaultView } = element.ownerDocument;
      return defaultView.getComputedStyle(element, '::after').content;
    }),
  );
  // The visible star, not the screen-reader text.
  expect(await Promise.all(marks)).toEqual(['" *" / ""', 'none', '" *" / ""']);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('group', { name: 'Proof' }).getByRole('button').click(),
  ]);
  await chooser.setFiles({ name: 'proof.txt', mimeType: 'text/plain', buffer: Buffer.from('it works') });
  await page.getByText('proof.txt is ready').waitFor();
  await page.getByRole('combobox', { name: 'From whom' }).fill('Ann');
  await page.getByRole('option', { name: 'Ann Smith' }).click();
  await typeInto(page, 'Of which day', '01122026');
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-file-form');
  await page.getByRole('button', { name: 'Submit' }).click();
  const { values } = await bot.answer('modal.submit', { ephemeral_text: 'Thank you.' });
  expect(values).toMatchObject({ person: ann.id, day: '2026-12-01' });
  await page.getByText('Thank you.').waitFor();
  const { download_url: url } = await bot.call(
    'GET',
    `/files/${values.proof}/download_url?conversation_id=${bot.channelId}`,
  );
  expect(await (await fetch(url)).text()).toBe('it works');
  await harness().takeScreenshots(page, 'chat-files');
});

browserTest('people can choose, drop, paste and remove files, and others see them', async () => {
  const page = await harness().openSignedIn(ann.token, `/chat/${bot.channelId}`);
  const field = page.getByRole('combobox', { name: 'Message to deploys' });
  await field.waitFor();
  const chosen = page.getByRole('list', { name: 'Files for this message' });
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach files' }).click(),
  ]);
  await chooser.setFiles([
    { name: 'plan.png', mimeType: 'image/png', buffer: coloured(200, 120) },
    { name: 'secret.txt', mimeType: 'text/plain', buffer: Buffer.from('not for everybody') },
    { name: 'tool.sh', mimeType: 'application/x-sh', buffer: Buffer.from('true') },
  ]);
  await chosen.getByText(/ready/).nth(1).waitFor();
  await chosen.getByText('This file type is not allowed.', { exact: false }).waitFor();
  await chosen.getByRole('button', { name: 'Remove secret.txt' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('A file could not be uploaded.', { exact: false }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-attach');
  await chosen.getByRole('button', { name: 'Remove tool.sh' }).click();
  for (const [how, name] of [
    ['drop', 'dropped.txt'],
    ['paste', 'pasted.txt'],
  ] as const)
    await field.evaluate(
      (element: any, { how: kind, name: given }) => {
        const world = globalThis as any;
        const data = new world.DataTransfer();
        data.items.add(new world.File(['from elsewhere'], given, { type: 'text/plain' }));
        const more = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          kind === 'drop'
            ? new world.DragEvent('drop', { ...more, dataTransfer: data })
            : new world.ClipboardEvent('paste', { ...more, clipboardData: data }),
        );
      },
      { how, name },
    );
  await chosen.getByText(/ready/).nth(2).waitFor();
  await field.fill('The plan');
  await field.press('Enter');
  await chosen.waitFor({ state: 'detached' });
  const shown = page.getByRole('article').filter({ hasText: 'The plan' });
  await eventually(async () =>
    expect(await shown.getByRole('img', { name: 'plan.png' }).evaluate((img: any) => img.naturalWidth)).toBe(
      200,
    ),
  );
  for (const name of ['dropped.txt', 'pasted.txt'])
    await shown.getByRole('button', { name: `Download ${name}` }).waitFor();
  const { messages } = await bot.read();
  const { attachments } = messages.find(({ text }: { text: string }) => text === 'The plan');
  expect(attachments.map(({ file_name: name }: { file_name: string }) => name)).toEqual([
    'plan.png',
    'dropped.txt',
    'pasted.txt',
  ]);
  const { download_url: url } = await bot.call(
    'GET',
    `/files/${attachments[1].file_id}/download_url?conversation_id=${bot.channelId}`,
  );
  expect(await (await fetch(url)).text()).toBe('from elsewhere');
});

browserTest(
  'the answer of an agent run grows, and its task can be reviewed in the conversation',
  async () => {
    const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
    const question = await harness().call(
      'POST',
      `/api/v1/client/conversations/${bot.channelId}/messages`,
      space.ownerToken,
      { text: 'How was the third quarter?' },
    );
    const { agent_run: run } = await bot.call('POST', '/agent_runs', {
      conversation_id: bot.channelId,
      trigger_message_id: question.message_id,
      idempotency_key: 'quarter',
    });
    const answer = page.getByRole('article', { name: 'Deployer' }).last();
    await answer.getByText('Accepted').waitFor();
    const step = (sequence: number, status: string, more: object) =>
      bot.call('PATCH', `/agent_runs/${run.id}`, { sequence, status, ...more });
    await step(2, 'using_tool', { public_text: 'Revenue ' });
    await answer.getByText('Using a tool').waitFor();
    await step(3, 'finalizing', { append: 'grew in **all** regions' });
    await answer.getByText('Revenue grew in all regions').waitFor();
    expect(await harness().axeViolations(page)).toEqual([]);
    await harness().takeScreenshots(page, 'chat-run');
    await page.getByRole('log').focus();
    await tabTo(page, 'Stop');
    await page.keyboard.press('Enter');
    await answer.getByText('Stopping').waitFor();
    await eventually(async () =>
      expect(await page.evaluate(() => (globalThis as any).document.activeElement.textContent)).toBe(
        'Stopping',
      ),
    );
    expect(await answer.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    expect(await step(4, 'completed', { append: '.' })).toMatchObject({ stop_requested: true });
    await answer.getByText('Done').waitFor();

    const { execution_task: task } = await bot.call('POST', '/execution_tasks', {
      conversation_id: bot.channelId,
      parent_message_id: question.message_id,
      title: 'Quarterly report',
      idempotency_key: 'report',
    });
    await bot.call('PATCH', `/execution_tasks/${task.widget_id}`, {
      action: 'complete',
      sequence: 1,
      public_text: 'All **regions** are in it.',
    });
    await page.goto(`/chat/${bot.channelId}?thread=${question.message_id}`);
    const card = page.getByRole('region', { name: 'Task: Quarterly report' });
    await card.getByText('Ready for review').waitFor();
    expect(await harness().axeViolations(page)).toEqual([]);
    await harness().takeScreenshots(page, 'chat-task');
    await card.getByRole('button', { name: 'Accept' }).click();
    await card.getByText('Accepted').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
    const { execution_task: reviewed } = await bot.call('GET', `/execution_tasks/${task.widget_id}`);
    expect(reviewed.status).toBe('accepted');
  },
);

browserTest('reactions are counted and removed, and ephemeral messages are changed and removed', async () => {
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
  const { message_id: id } = await bot.say('Lunch?');
  const message = page.getByRole('article', { name: 'Deployer' }).filter({ hasText: 'Lunch?' });
  // The log may scroll to its end, which puts another message under the pointer. A click may take
  // some seconds.
  await eventually(
    async () => {
      if (await page.getByRole('button', { name: 'React with 🎉' }).isVisible()) return;
      await message.hover({ timeout: 5_000 });
      await message.getByRole('button', { name: 'Add a reaction' }).click({ timeout: 5_000 });
    },
    { timeoutMs: 60_000 },
  );
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'React with 🎉' }).click();
  const own = message.getByRole('button', { name: '🎉 1: Owner' });
  await own.waitFor();
  await harness().call(
    'PUT',
    `/api/v1/client/messages/${id}/reactions/${encodeURIComponent('🎉')}`,
    ann.token,
  );
  const both = message.getByRole('button', { name: '🎉 2: Owner, Ann Smith' });
  await both.waitFor();
  await both.click();
  await message.getByRole('button', { name: '🎉 1: Ann Smith' }).waitFor();

  const said = await bot.call('POST', '/messages/ephemeral', {
    conversation_id: bot.channelId,
    user_id: space.ownerId,
    content: 'Your build waits',
    metadata_json: JSON.stringify({
      version: 1,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: 'Your build waits' } },
        { type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Let it go' }] },
      ],
    }),
  });
  const whisper = page.getByRole('status', { name: 'Only you see this' }).filter({ hasText: 'Your build' });
  await whisper.getByRole('button', { name: 'Let it go' }).click();
  const event = await bot.answer('button.click', {
    update_message: { text: 'It goes.', metadata_json: '' },
  });
  expect(event.message_id).toBe(said.message_id);
  const changed = page.getByRole('status', { name: 'Only you see this' }).filter({ hasText: 'It goes.' });
  await changed.waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await changed.getByRole('button', { name: 'Dismiss' }).click();
  await changed.waitFor({ state: 'detached' });
});

browserTest('a conversation is muted, a person not disturbed for a while and at night', async () => {
  const page = await harness().openSignedIn(ann.token, `/chat/${bot.channelId}`);
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for deploys' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const me = async () => (await harness().call('GET', '/api/v1/client/me', ann.token)).user.notifications;
  const muted = async () =>
    (await harness().call('GET', `/api/v1/client/conversations/${bot.channelId}`, ann.token)).conversation
      .muted;
  await choose('Mute');
  await page.getByText('Muted').first().waitFor();
  expect(await muted()).toBe(true);
  await choose('Unmute');
  await page.getByText('Muted').first().waitFor({ state: 'detached' });
  expect(await muted()).toBe(false);

  await choose('Notification settings');
  await page.getByRole('radio', { name: '4 hours', exact: true }).check({ force: true });
  await page.getByRole('checkbox', { name: 'Quiet hours every day' }).check({ force: true });
  await typeInto(page, 'From', '2130');
  await typeInto(page, 'To', '0715');
  await page.getByLabel('Time zone').fill('Europe/Vienna');
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'chat-disturb');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { dnd_until: until, quiet_hours: hours } = await me();
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(3.9 * 3_600_000);
  expect(hours).toEqual({ start: '21:30', end: '07:15', time_zone: 'Europe/Vienna' });
  await choose('Notification settings');
  await page.getByRole('radio', { name: 'Off' }).check({ force: true });
  await page.getByRole('checkbox', { name: 'Quiet hours every day' }).uncheck({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await me()).toMatchObject({ dnd_until: null, quiet_hours: null });
});

/** Posts as the owner. @returns the message as people see it */
async function post(text: string, more: object = {}): Promise<Record<string, any>> {
  const owner = space.ownerToken;
  const path = `/api/v1/client/conversations/${bot.channelId}/messages`;
  const { message_id: id } = await harness().call('POST', path, owner, { text, ...more });
  return (await harness().call('GET', `/api/v1/client/messages/${id}`, owner)).message;
}

/** Waits until a search finds this many messages. They are indexed after they are sent. */
const indexed = (q: string, count: number) =>
  eventually(async () => {
    const path = `/api/v1/client/search/messages?q=${q}`;
    expect((await harness().call('GET', path, space.ownerToken)).results).toHaveLength(count);
  });

browserTest('search by keyboard finds messages, people and conversations, and opens a reply', async () => {
  const root = await post('Where are the walrus notes?');
  for (let n = 1; n <= 21; n += 1) await post(`Walrus deploy number ${n}`);
  const reply = await post(`Here, <@${ann.id}>: the **WALRUS** notes`, { parent_message_id: root.id });
  for (let n = 1; n <= 20; n += 1)
    await post(`reply ${n}.${'\n\nMore.'.repeat(8)}`, { parent_message_id: root.id });
  await indexed('walrus', 23);
  const page = await harness().openSignedIn(space.ownerToken, `/chat/${bot.channelId}`);
  const message = page.getByRole('combobox', { name: 'Message to deploys' });
  await message.fill('Not sent yet');
  await page.keyboard.press('Control+K');
  const box = page.getByRole('searchbox', { name: 'Search messages, people and conversations' });
  await page.getByText('What are you looking for?').waitFor();
  await page.keyboard.type('walrus');
  const messages = page.getByRole('region', { name: 'Messages' });
  await messages.getByRole('status').getByText('20+ results').waitFor();
  await messages.getByText('Walrus deploy number 21').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await messages.getByRole('status').getByText('23 results').waitFor();

  await page.keyboard.press('Control+K');
  await page.keyboard.type('deploy');
  await page.getByRole('region', { name: 'Conversations' }).getByRole('link', { name: 'deploys' }).waitFor();
  await page.getByRole('region', { name: 'People' }).getByRole('button', { name: 'Deployer Bot' }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'search');

  await box.fill('');
  await page.keyboard.type('walrus -deploy notes');
  const found = messages.getByRole('link', { name: 'Owner Thread in deploys' });
  await found.getByText('@Ann Smith').waitFor();
  expect(await found.locator('mark').allTextContents()).toEqual(['WALRUS', 'notes']);
  await messages.getByRole('status').getByText('2 results').waitFor();
  await box.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('reply') === String(reply.msg_index));
  const thread = page.getByRole('region', { name: 'Thread' });
  const opened = thread.getByRole('article').filter({ hasText: 'the WALRUS notes' });
  await opened.waitFor();
  expect(await thread.getByText('reply 20.').count()).toBe(0);
  expect(await message.inputValue()).toBe('Not sent yet');
  await harness().takeScreenshots(page, 'search-reply');

  await thread.getByRole('link', { name: 'Search in this thread' }).click();
  await page.getByText('In one thread').waitFor();
  await messages.getByRole('status').getByText('20+ results').waitFor();
  expect(await messages.getByText(/deploy number/).count()).toBe(0);
  await page.goBack();
  await opened.waitFor();
});

browserTest('search filters are chips and part of the address', async () => {
  await harness().call('POST', `/api/v1/client/conversations/${bot.channelId}/messages`, ann.token, {
    text: 'Narwhal at https://narwhal.example',
  });
  const linked = await post('Narwhal without an address');
  await indexed('narwhal', 2);
  const page = await harness().openSignedIn(space.ownerToken, '/search?q=narwhal');
  const messages = page.getByRole('region', { name: 'Messages' });
  const total = (count: string) => messages.getByRole('status').getByText(count, { exact: true }).waitFor();
  await total('2 results');
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByRole('button', { name: 'In', exact: true }).click();
  await page.getByRole('combobox', { name: 'Conversation' }).fill('depl');
  await page.getByRole('option', { name: 'deploys' }).click();
  await filters.getByRole('button', { name: 'In: deploys', exact: true }).waitFor();
  await filters.getByRole('button', { name: 'From', exact: true }).click();
  await page.keyboard.type('ann');
  await page.getByRole('option', { name: 'Ann Smith' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await total('1 result');
  await tabTo(page, 'After');
  await page.keyboard.press('Enter');
  await typeInto(page, 'Sent on this day or later', '01012026');
  await page.keyboard.press('Enter');
  await filters.getByRole('button', { name: 'After: 1 Jan 2026', exact: true }).waitFor();
  await filters.getByRole('button', { name: 'With', exact: true }).click();
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'A link' }).click();
  await total('1 result');
  await harness().takeScreenshots(page, 'search-filters');
  const kept = new URL(page.url()).searchParams;
  expect(Object.fromEntries(kept)).toEqual({
    q: 'narwhal',
    in: bot.channelId,
    from: ann.id,
    after: '2026-01-01',
    has: 'link',
  });
  await page.reload();
  await total('1 result');
  await filters.getByRole('button', { name: 'Remove the filter: With: A link' }).click();
  await filters.getByRole('button', { name: 'Remove the filter: From: Ann Smith' }).click();
  await total('2 results');
  await messages.getByRole('link', { name: /without an address/ }).click();
  await page.waitForURL(`**/chat/${bot.channelId}?at=${linked.msg_index}`);
});

browserTest('a newer search aborts the former one, and failures can be retried', async () => {
  const page = await harness().openSignedIn(space.ownerToken, '/search');
  const box = page.getByRole('searchbox');
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('q=slow&'));
  await page.route(/search\/messages\?.*q=slow&/, async (route) => {
    await released;
    await route.abort().catch(() => undefined);
  });
  const asked = page.waitForRequest(/search\/messages\?.*q=slow&/);
  await box.fill('slow');
  await asked;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  // Typed by a timer of the page, which on any machine runs before the one that starts the search.
  await box.evaluate(async (field: any) => {
    for (const letter of 'est') {
      field.ownerDocument.execCommand('insertText', false, letter);
      await new Promise((done) => setTimeout(done, 10));
    }
  });
  await page.getByText('Nothing found').waitFor();
  expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED');
  release();
  expect(requests.filter((url) => url.includes('search/messages'))).toHaveLength(1);
  await harness().takeScreenshots(page, 'search-none');

  await box.fill('-only');
  await page.getByText('Type a word to search for').waitFor();
  await page.route(/search\/messages/, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '7' },
      json: { ok: false, code: 'rate_limited' },
    }),
  );
  await box.fill('limited');
  await page.getByText('Too many requests. Try again in 7 s.').waitFor();
  await harness().takeScreenshots(page, 'search-failed');
  await page.unroute(/search\/messages/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Nothing found').waitFor();
});

import { eventually } from '@tieline/testing';
import type { Page } from 'playwright-core';
import { browserTest, ConsoleHarness } from './browser.js';
import type { ConsoleSpace } from './browser.js';
import { INTERACTIVE_BLOCKS, SHOWN_BLOCKS } from './every-app-block.js';
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
  bot = await PollingBot.create(started, space, 'releases');
});

afterAll(() => started?.close());
afterEach(() => started?.closePages());

/** Opens the channel with one message that has these blocks. @returns what elements send */
async function withBlocks(blocks: object[], options: object = {}) {
  const page = await harness().openSignedIn(space.ownerToken, '/', options);
  const { message_id: messageId } = await bot.say('Blocks');
  const sent: any[] = [];
  await page.route(/\/api\/v1\/client\/messages\/.*\/block_(actions|options)/, (route) => {
    sent.push(route.request().postDataJSON());
    const isOptions = route.request().url().endsWith('block_options');
    const found = [{ text: { type: 'plain_text', text: 'Ticket 17' }, value: 't17' }];
    return route.fulfill({ json: isOptions ? { options: found } : { ok: true } });
  });
  await page.route(/\/messages(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const one of body.messages ?? []) if (one.id === messageId) one.app_blocks = blocks;
    return route.fulfill({ response, json: body });
  });
  await page.goto(`/chat/${bot.channelId}`);
  return { page, sent, last: () => eventually(() => sent.at(-1) ?? Promise.reject(new Error('none'))) };
}

browserTest('shows blocks of every type', async () => {
  const { page } = await withBlocks(SHOWN_BLOCKS);
  await page.getByText('Release 4.2').waitFor();
  await page.getByText('A block of the future').waitFor();
  await page.getByRole('link', { name: 'the notes' }).waitFor();
  await page.getByText('Details').click();
  await page.getByText('Inside the container').waitFor();
  await page.getByRole('button', { name: 'Sort by ms' }).click();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['Region 1', 'Region 0']);
  await page.getByRole('button', { name: 'Show more rows' }).click();
  expect(await page.getByRole('rowheader').count()).toBe(3);
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app-blocks');
});

/** Chooses an option of a search field. */
async function find(page: Page, field: string, typed: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(typed);
  await page.getByRole('option', { name: choice }).click();
}

browserTest('every element sends its value in the shape of Slack', async () => {
  const { page, sent } = await withBlocks(INTERACTIVE_BLOCKS);
  const next = async (value: object, place: [string, string]) => {
    await eventually(() => expect(sent.length).toBeGreaterThan(0));
    const { block_id: blockId, action_id: actionId, value: got } = sent.shift();
    expect([blockId, actionId, got]).toEqual([...place, value]);
  };
  await page.getByRole('button', { name: 'Go ahead' }).click();
  await next({}, ['buttons', 'go']);
  await page.getByRole('button', { name: /Severity/ }).click();
  await page.getByRole('option', { name: 'High' }).click();
  await next({ selected_option: { value: 'high' } }, ['section', 'severity']);
  await page.getByRole('button', { name: 'Drop' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Drop' }).click();
  await page.getByText('gone').waitFor();
  await page.getByRole('button', { name: 'Drop it' }).click();
  await next({}, ['buttons', 'drop']);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Gamma' }).click();
  await next({ selected_option: { value: 'gamma' } }, ['buttons', 'rest']);
  await page.getByRole('group', { name: 'Day' }).getByRole('spinbutton').first().focus();
  await page.keyboard.type('24122026');
  await page.keyboard.press('Enter');
  await next({ selected_date: '2026-12-24' }, ['moments', 'day']);
  await page.getByRole('group', { name: 'Hour' }).getByRole('spinbutton').first().focus();
  await page.keyboard.type('0930');
  await page.keyboard.press('Enter');
  await next({ selected_time: '09:30' }, ['moments', 'hour']);
  await page.getByRole('group', { name: 'Choose a date and time' }).getByRole('spinbutton').first().focus();
  await page.keyboard.type('241220260930');
  await page.keyboard.press('Enter');
  await next({ selected_date_time: Date.UTC(2026, 11, 24, 9, 30) / 1000 }, ['moments', 'when']);
  await find(page, 'Who', 'own', 'Owner');
  await next({ selected_user: expect.stringMatching(/^U[A-Z2-7]{26}$/) }, ['lists', 'who']);
  await find(page, 'Where', 'rel', 'releases');
  await next({ selected_conversation: expect.stringMatching(/^[CG]/) }, ['lists', 'where']);
  await find(page, 'Channel', 'rel', 'releases');
  await next({ selected_channel: expect.stringMatching(/^C/) }, ['lists', 'channel']);
  await page.getByRole('combobox', { name: 'Ticket' }).fill('17');
  await eventually(() => expect(sent.at(-1)).toMatchObject({ action_id: 'found', query: '17' }));
  sent.length = 0;
  await page.getByRole('option', { name: 'Ticket 17' }).click();
  await next({ selected_option: { text: { type: 'plain_text', text: 'Ticket 17' }, value: 't17' } }, [
    'lists',
    'found',
  ]);
  await page.getByRole('button', { name: 'Some', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Alpha' }).check({ force: true });
  await page.getByRole('checkbox', { name: 'Gamma' }).check({ force: true });
  expect(await page.getByRole('checkbox', { name: 'Beta' }).isDisabled()).toBe(true);
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await next({ selected_options: [{ value: 'alpha' }, { value: 'gamma' }] }, ['lists', 'some']);
  await page.getByRole('checkbox', { name: 'Lint' }).check({ force: true });
  await next({ selected_options: [{ value: 'lint' }, { value: 'test' }] }, ['ticks', 'checked']);
  await page.getByRole('radio', { name: 'Gamma' }).check();
  await next({ selected_option: { value: 'gamma' } }, ['radios', 'color']);
  await page.getByRole('button', { name: 'Bad' }).click();
  await next({ value: 'bad' }, ['opinion', 'feedback']);
  await page.getByRole('button', { name: 'Remove' }).click();
  await eventually(() => expect(sent).toHaveLength(1));
  expect(sent[0].state.section.severity).toEqual({ selected_option: { value: 'high' } });
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app-elements');
});

browserTest('shortcuts are in the menus of the message input and of messages', async () => {
  await bot.call('PUT', '/shortcuts', {
    shortcuts: [
      { callback_id: 'new', name: 'New ticket', description: 'Opens a form', type: 'global' },
      { callback_id: 'file', name: 'File as ticket', type: 'message' },
    ],
  });
  const page = await harness().openSignedIn(space.ownerToken, '/');
  const { message_id: messageId } = await bot.say('It is down');
  const sent: unknown[] = [];
  await page.route(/\/api\/v1\/client\/shortcuts\/./, (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { ok: true } });
  });
  await page.goto(`/chat/${bot.channelId}`);
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByText('Deployer: Opens a form').waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(1);
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'New ticket' }).click();
  await eventually(() => expect(sent).toEqual([{}]));
  const message = page.getByRole('article', { name: 'Deployer' }).filter({ hasText: 'It is down' });
  await message.hover();
  await message.getByRole('button', { name: 'Actions for the message from Deployer' }).click();
  await page.getByRole('menuitem', { name: 'File as ticket' }).click();
  await eventually(() => expect(sent).toEqual([{}, { message_id: messageId }]));
});

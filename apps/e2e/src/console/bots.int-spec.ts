import { browserTest, ConsoleRig, tabTo } from './browser.js';

let started: ConsoleRig | undefined;

beforeAll(async () => {
  started = await ConsoleRig.start();
});

afterAll(() => started?.close());

function rig(): ConsoleRig {
  if (!started) throw new Error('no browser');
  return started;
}

browserTest('from an empty space to a bot that posts, by keyboard alone', async () => {
  const { ownerToken } = await rig().space();
  const page = await rig().signedIn(ownerToken, '/bots');
  await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
  expect(await rig().axeFaults(page)).toEqual([]);
  await rig().pictures(page, 'bots-none');
  await tabTo(page, 'New bot');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New bot' }).waitFor();
  await page.keyboard.type('deploy');
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: 'deploy is ready' });
  const token = await dialog.getByRole('textbox', { name: 'Bot token' }).innerText();
  const snippet = await dialog.getByRole('region', { name: 'curl' }).innerText();
  expect(await rig().axeFaults(page)).toEqual([]);
  await rig().pictures(page, 'bot-created');
  const channel = /"conversation_id":"([^"]+)"/.exec(snippet)?.[1];
  await rig().made('POST', '/api/v1/bot/messages', token, { conversation_id: channel, content: 'Hello' });

  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  await tabTo(page, 'I have copied them');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
  expect(await page.content()).not.toContain(token);
});

browserTest('a bot is changed, and what the server refuses stands at the field', async () => {
  const { ownerToken } = await rig().space();
  const { bot } = await rig().made('POST', '/api/v1/admin/bots', ownerToken, { display_name: 'first' });
  const page = await rig().signedIn(ownerToken, '/bots');
  await page.getByRole('row', { name: 'first' }).click();
  // By its role: the list has a column of that name, and stands until the page of the bot is there.
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
  await page.getByRole('textbox', { name: 'Picture' }).fill('http://example.com/a.png');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[data-invalid] >> text=/avatar_url|https/i').first().waitFor();
  await page.getByRole('textbox', { name: 'Picture' }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'second', level: 1 }).waitFor();
  expect(await rig().axeFaults(page)).toEqual([]);
  await rig().pictures(page, 'bot');
  const { bot: changed } = await rig().made('GET', `/api/v1/admin/bots/${bot.id}`, ownerToken);
  expect(changed.display_name).toBe('second');
});

browserTest('a delivery shows what was sent and what was answered; the overview counts it', async () => {
  const { ownerToken } = await rig().space();
  const receiver = await rig().tieline.receiver();
  const { bot } = await rig().made('POST', '/api/v1/admin/bots', ownerToken, {
    display_name: 'listener',
    event_delivery_mode: 'webhook',
    webhook_url: receiver.url,
    event_types: ['MESSAGE_CREATED'],
  });
  const { conversation } = await rig().made('POST', '/api/v1/client/conversations', ownerToken, {
    name: 'general',
    is_public: true,
    member_ids: [bot.id],
  });
  await rig().made('POST', `/api/v1/client/conversations/${conversation.id}/messages`, ownerToken, {
    text: 'A message for the listener',
  });
  const page = await rig().signedIn(ownerToken, `/bots/${bot.id}?tab=deliveries&span=hour`);
  await page.getByText('delivered', { exact: true }).first().waitFor();
  expect(await rig().axeFaults(page)).toEqual([]);
  await rig().pictures(page, 'bot-deliveries');
  await page.getByRole('row', { name: /MESSAGE_CREATED/ }).click();
  await page.getByText('A message for the listener').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('It is being sent again').waitFor();

  await page.goto('/overview');
  await page.getByRole('img', { name: /[12] delivered/ }).waitFor();
  expect(await rig().axeFaults(page)).toEqual([]);
  await rig().pictures(page, 'overview');
});

browserTest('a token is made anew, and a bot is deleted by its name', async () => {
  const { ownerToken } = await rig().space();
  const { bot, token } = await rig().made('POST', '/api/v1/admin/bots', ownerToken, {
    display_name: 'leaky',
  });
  const page = await rig().signedIn(ownerToken, `/bots/${bot.id}`);
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('button', { name: 'Make new token' }).click();
  const fresh = await page.getByRole('textbox', { name: 'Bot token' }).innerText();
  expect(fresh).not.toBe(token);
  await rig().made('GET', '/api/v1/bot/me', fresh);
  await page.getByRole('button', { name: 'I have copied them' }).click();

  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete bot' }).click();
  await page.getByRole('dialog', { name: 'Delete the bot leaky?' }).waitFor();
  await page.getByRole('button', { name: 'Delete bot' }).click();
  await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
});

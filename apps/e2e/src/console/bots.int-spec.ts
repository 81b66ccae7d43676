import { eventually } from '@tieline/testing';
import type { Page } from 'playwright-core';
import { browserTest, ConsoleHarness, tabTo } from './browser.js';

let started: ConsoleHarness | undefined;

beforeAll(async () => {
  started = await ConsoleHarness.start({ pollsOften: true });
});

afterEach(() => started?.closePages());

afterAll(() => started?.close());

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

browserTest('from an empty space to a bot that posts, by keyboard alone', async () => {
  const { ownerToken } = await harness().createSpace();
  const page = await harness().openSignedIn(ownerToken, '/bots');
  await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'bots-none');
  await tabTo(page, 'New bot');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New bot' }).waitFor();
  await page.keyboard.type('deploy');
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: 'deploy is ready' });
  const token = await dialog.getByRole('textbox', { name: 'Bot token' }).innerText();
  const snippet = await dialog.getByRole('region', { name: 'curl' }).innerText();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'bot-created');
  const channel = /"conversation_id":"([^"]+)"/.exec(snippet)?.[1];
  await harness().call('POST', '/api/v1/bot/messages', token, { conversation_id: channel, content: 'Hello' });

  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  await tabTo(page, 'I have copied both');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
  expect(await page.content()).not.toContain(token);
});

browserTest('a bot is edited, and refused values show the error at their field', async () => {
  const { ownerToken } = await harness().createSpace();
  const { bot } = await harness().call('POST', '/api/v1/admin/bots', ownerToken, { display_name: 'first' });
  const page = await harness().openSignedIn(ownerToken, '/bots');
  await page.getByRole('row', { name: 'first' }).click();
  // Selects by role, because the list has a column of that name until the bot's page is shown.
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
  await page.getByRole('textbox', { name: 'Avatar' }).fill('http://example.com/a.png');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[data-invalid] >> text=/avatar_url|https/i').first().waitFor();
  await page.getByRole('textbox', { name: 'Avatar' }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'second', level: 1 }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'bot');
  const { bot: changed } = await harness().call('GET', `/api/v1/admin/bots/${bot.id}`, ownerToken);
  expect(changed.display_name).toBe('second');
});

browserTest('a delivery shows request and response, and the overview counts it', async () => {
  const { ownerToken } = await harness().createSpace();
  const receiver = await harness().tieline.receiver();
  const { bot } = await harness().call('POST', '/api/v1/admin/bots', ownerToken, {
    display_name: 'listener',
    event_delivery_mode: 'webhook',
    webhook_url: receiver.url,
    event_types: ['MESSAGE_CREATED'],
  });
  const { conversation } = await harness().call('POST', '/api/v1/client/conversations', ownerToken, {
    name: 'general',
    is_public: true,
    member_ids: [bot.id],
  });
  await harness().call('POST', `/api/v1/client/conversations/${conversation.id}/messages`, ownerToken, {
    text: 'A message for the listener',
  });
  const page = await harness().openSignedIn(ownerToken, `/bots/${bot.id}?tab=deliveries&span=hour`);
  await page.getByText('delivered', { exact: true }).first().waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'bot-deliveries');
  await page.getByRole('row', { name: /New message/ }).click();
  await page.getByText('A message for the listener').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Sending again').waitFor();

  await page.goto('/overview');
  await page.getByRole('img', { name: /[12] delivered/ }).waitFor();
  await page.getByRole('img', { name: /p50 \d/ }).waitFor();
  await page.getByText('100%').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'overview');
  await whatFails(ownerToken, bot.id, page);
});

/**
 * Checks that failures appear in the overview and link to the page that fixes them, but disabled
 * objects do not.
 */
async function whatFails(owner: string, botId: string, page: Page): Promise<void> {
  const { conversation } = await harness().call('POST', '/api/v1/client/conversations', owner, {
    name: 'alerts',
  });
  const incoming = async (name: string) =>
    (
      await harness().call('POST', '/api/v1/admin/incoming_webhooks', owner, {
        name,
        conversation_id: conversation.id,
      })
    ).webhook.id as string;
  const outgoing = async (name: string) =>
    (
      await harness().call('POST', '/api/v1/admin/outgoing_webhooks', owner, {
        ...{ name, url: 'https://example.com/hook', event_types: ['MESSAGE_CREATED'] },
      })
    ).subscription.id as string;
  const [dead, quiet, slow] = [
    await incoming('Alarms'),
    await incoming('Resting'),
    await outgoing('Slow log'),
  ];
  const sql = harness().tieline.sql;
  await sql.query(
    'UPDATE incoming_webhooks SET is_active = false, consecutive_failures = CASE WHEN id = $1 THEN 100 ELSE 3 END WHERE id IN ($1, $2)',
    [dead, quiet],
  );
  await sql.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until) SELECT id, space_id, 'outgoing', 12, now() + interval '1 hour' FROM outgoing_webhooks WHERE id = $1`,
    [slow],
  );
  await sql.query(`UPDATE outgoing_webhooks SET status = 'inactive', consecutive_dead = 100 WHERE id = $1`, [
    await outgoing('Old log'),
  ]);
  await sql.query(
    'INSERT INTO bot_callback_failures (space_id, bot_id, in_a_row) SELECT space_id, id, 11 FROM bots WHERE id = $1',
    [botId],
  );
  await page.reload();
  const entry = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
  await entry('Slow log')
    .getByText('12 failures in a row. Deliveries are paused. Next attempt', { exact: false })
    .waitFor();
  await entry('Old log').getByText('disabled', { exact: true }).waitFor();
  await entry('Alarms').getByText('Incoming webhook').waitFor();
  expect(await entry('Resting').count()).toBe(0);
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'overview-failures');
  await page
    .getByRole('listitem')
    .filter({ hasText: '11 clicks, forms or commands in a row got no response' })
    .getByRole('link')
    .click();
  await page.getByRole('tab', { name: 'Callbacks', selected: true }).waitFor();
}

browserTest('a token is replaced, and a bot is deleted after typing its name', async () => {
  const { ownerToken } = await harness().createSpace();
  const { bot, token } = await harness().call('POST', '/api/v1/admin/bots', ownerToken, {
    display_name: 'leaky',
  });
  const page = await harness().openSignedIn(ownerToken, `/bots/${bot.id}`);
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('button', { name: 'Create new token' }).click();
  const fresh = await page.getByRole('textbox', { name: 'Bot token' }).innerText();
  expect(fresh).not.toBe(token);
  await harness().call('GET', '/api/v1/bot/me', fresh);
  await page.getByRole('button', { name: 'I have copied both' }).click();

  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete bot' }).click();
  await page.getByRole('dialog', { name: 'Delete the bot leaky?' }).waitFor();
  await page.getByRole('button', { name: 'Delete bot' }).click();
  await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
});

browserTest('the callback address is set, and a test click shows the response of the bot', async () => {
  const { ownerToken } = await harness().createSpace();
  const receiver = await harness().tieline.receiver();
  receiver.respond({ status: 200, body: '{"ephemeral_text":"Deployed"}' });
  const { bot } = await harness().call('POST', '/api/v1/admin/bots', ownerToken, { display_name: 'clicker' });
  const page = await harness().openSignedIn(ownerToken, `/bots/${bot.id}?tab=commands`);
  await page.getByLabel('Address for clicks').fill(`${receiver.url}/clicks`);
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByRole('textbox', { name: 'Signing secret for clicks' }).getByText('whsec_').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send a test click' }).click();
  await page.getByLabel('Button (action_id)').fill('deploy');
  await page.getByRole('button', { name: 'Send click' }).click();
  await page.getByText('The bot returned 200').waitFor();
  await page.getByText('Deployed').waitFor();
  expect(JSON.parse(receiver.requests[0]!.body.toString())).toMatchObject({ action_id: 'deploy' });
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'bot-test-click');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await harness().takeScreenshots(page, 'bot-commands');
});

browserTest(
  'the page of a polling bot shows delivered and read events, and its row buttons work by keyboard',
  async () => {
    const { ownerToken } = await harness().createSpace();
    const { bot, token } = await harness().call('POST', '/api/v1/admin/bots', ownerToken, {
      display_name: 'poller',
      event_delivery_mode: 'poll',
      event_types: ['MESSAGE_CREATED'],
    });
    await harness().call('POST', `/api/v1/bots/${bot.id}/commands`, token, { name: 'deploy' });
    const page = await harness().openSignedIn(ownerToken, `/bots/${bot.id}?tab=commands`);
    const remove = page.getByRole('button', { name: 'Delete the command deploy' });
    await remove.waitFor();
    for (const key of ['Enter', 'Space']) {
      await remove.focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name: 'Delete the command deploy?' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await eventually(() => remove.evaluate((button: any) => button.ownerDocument.activeElement === button));
    }

    const { conversation } = await harness().call('POST', '/api/v1/client/conversations', ownerToken, {
      name: 'general',
      is_public: true,
      member_ids: [bot.id],
    });
    await harness().call('POST', `/api/v1/client/conversations/${conversation.id}/messages`, ownerToken, {
      text: 'A message to be fetched',
    });
    await page.getByRole('tab', { name: 'Events' }).click();
    const row = page.getByRole('row', { name: /New message/ });
    await row.filter({ hasText: 'not read yet' }).waitFor();
    expect(await harness().axeViolations(page)).toEqual([]);
    await harness().takeScreenshots(page, 'bot-events');
    const { next_cursor: cursor } = await harness().call('GET', '/api/v1/bot/events', token);
    await harness().call('GET', `/api/v1/bot/events?cursor=${cursor}`, token);
    await row.filter({ hasNotText: 'not read yet' }).waitFor();
    await row.click();
    await page.getByText('A message to be fetched').waitFor();
  },
);

browserTest('on a phone the tab from the address or the keyboard is scrolled into view', async () => {
  const { ownerToken } = await harness().createSpace();
  const { bot } = await harness().call('POST', '/api/v1/admin/bots', ownerToken, { display_name: 'narrow' });
  const page = await harness().openSignedIn(ownerToken, `/bots/${bot.id}?tab=callbacks`, { width: 'narrow' });
  // Checked in the page itself, because Playwright would scroll to any element it uses.
  const isInSight = (name: string) =>
    page.evaluate((wanted) => {
      const tab = (globalThis as any).document.querySelector('[role=tab][aria-selected=true]');
      const list = tab?.closest('[role=tablist]');
      if (tab?.textContent !== wanted) return false;
      const [inner, outer] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
      const fits = list.scrollWidth <= list.clientWidth;
      return !fits && inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
    }, name);
  await page.getByRole('tab', { name: 'Callbacks', selected: true }).waitFor();
  await eventually(() => isInSight('Callbacks'));
  await page.getByRole('tab', { name: 'Callbacks' }).focus();
  await page.keyboard.press('Home');
  await eventually(() => isInSight('Settings'));
  await page.keyboard.press('End');
  await eventually(() => isInSight('Callbacks'));
});

import { eventually } from '@tieline/testing';
import type { Page } from 'playwright-core';
import { browserTest, ConsoleHarness, tabTo } from './browser.js';
import type { ConsoleSpace } from './browser.js';

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

const isFocused = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => (globalThis as any).document.activeElement.matches(wanted), selector);
const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = (globalThis as any).document;
    return (activeElement.getAttribute('aria-label') ?? activeElement.textContent) as string;
  });

/** Runs axe in both themes and takes screenshots if enabled. */
async function checkAppearance(page: Page, name: string): Promise<void> {
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, name);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function channel({ ownerToken }: ConsoleSpace, name = 'alerts'): Promise<string> {
  const made = await harness().call('POST', '/api/v1/client/conversations', ownerToken, {
    name,
    is_public: true,
  });
  return made.conversation.id;
}

const say = (space: ConsoleSpace, channelId: string, text: string) =>
  harness().call('POST', `/api/v1/client/conversations/${channelId}/messages`, space.ownerToken, { text });

browserTest('a failed delivery is opened and succeeds when it is sent again', async () => {
  const space = await harness().createSpace();
  const channelId = await channel(space);
  const receiver = await harness().tieline.receiver();
  receiver.respond(404);
  const page = await harness().openSignedIn(space.ownerToken, '/outgoing');
  await page.getByText('No outgoing webhooks yet').waitFor();
  await checkAppearance(page, 'outgoing-empty');

  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Incidents');
  await page.getByLabel('Address').fill(receiver.url);
  await checkAppearance(page, 'outgoing-new');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('textbox', { name: 'Signing secret' }).getByText('whsec_').waitFor();
  await checkAppearance(page, 'outgoing-created');
  await page.getByRole('link', { name: 'Open webhook' }).click();
  await page.getByText('No deliveries yet').waitFor();

  await say(space, channelId, 'the site is down');
  const row = page.getByRole('row').filter({ hasText: 'New message' });
  await row.filter({ hasText: 'failed' }).filter({ hasText: '404' }).waitFor();
  await checkAppearance(page, 'outgoing-log');
  await row.getByText('New message').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Not retried').waitFor();
  await dialog.getByText('the site is down').waitFor();
  expect(new URL(page.url()).searchParams.get('delivery')).toMatch(/^[0-9a-f-]{36}$/);
  await checkAppearance(page, 'outgoing-delivery');

  receiver.respond(200);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('The receiver accepted it.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const again = page.getByRole('row').filter({ hasText: 'delivered' }).filter({ hasText: '200' });
  await again.waitFor();
  await page
    .getByRole('group', { name: 'Filters' })
    .getByRole('button', { name: /Any time/ })
    .click();
  await page.getByRole('option', { name: 'Custom range…' }).click();
  const until = page.getByRole('group', { name: 'Until', exact: true }).getByRole('spinbutton').first();
  await until.focus();
  await page.keyboard.type('010120250900');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing matches').waitFor();
  expect(new URL(page.url()).searchParams.get('until')).toBe('2025-01-01T09:00:00.000Z');
  await checkAppearance(page, 'outgoing-between');
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await again.waitFor();

  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The receiver returned 200').waitFor();
  await page.getByRole('button', { name: /^Any status/ }).click();
  await page.getByRole('option', { name: 'failed', exact: true }).click();
  await page.getByRole('row').filter({ hasText: '200' }).first().waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('state')).toBe('dead');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  await checkAppearance(page, 'outgoing-settings');
});

browserTest('secrets are replaced, and deleting lists what it removes', async () => {
  const space = await harness().createSpace();
  const receiver = await harness().tieline.receiver();
  const { subscription } = await harness().call('POST', '/api/v1/admin/outgoing_webhooks', space.ownerToken, {
    name: 'Mirror',
    url: receiver.url,
    event_types: ['MESSAGE_CREATED'],
  });
  const page = await harness().openSignedIn(space.ownerToken, `/outgoing/${subscription.id}`);
  const menu = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await menu('New secret');
  await page.getByRole('button', { name: 'Create new secret' }).click();
  await page.getByRole('textbox', { name: 'New signing secret' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The previous secret still works').waitFor();
  await menu('Send again since');
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Started. See Recoveries').waitFor();
  await page.getByRole('tab', { name: 'Recoveries' }).click();
  await page.getByRole('row').filter({ hasText: 'done' }).waitFor();
  await checkAppearance(page, 'outgoing-recoveries');
  await menu('Delete');
  await page.getByRole('heading', { name: 'Delete Mirror?' }).waitFor();
  await checkAppearance(page, 'outgoing-delete');
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No outgoing webhooks yet').waitFor();
});

browserTest(
  'a paused receiver can be tested, deliveries redelivered by keyboard, and a portal link created',
  async () => {
    const space = await harness().createSpace();
    const channelId = await channel(space);
    const receiver = await harness().tieline.receiver();
    receiver.respond(404);
    const { subscription } = await harness().call(
      'POST',
      '/api/v1/admin/outgoing_webhooks',
      space.ownerToken,
      {
        name: 'Pager',
        url: receiver.url,
        event_types: ['MESSAGE_CREATED'],
      },
    );
    const page = await harness().openSignedIn(space.ownerToken, `/outgoing/${subscription.id}`);
    for (const text of ['one', 'two']) await say(space, channelId, text);
    const rows = page.getByRole('row').filter({ hasText: 'New message' });
    await rows.filter({ hasText: '404' }).nth(1).waitFor();
    // Into the table, which is one Tab stop, to the checkbox of the first row and down to the
    // second.
    for (let presses = 0; presses < 60 && !(await isFocused(page, '[role=row]')); presses += 1)
      await page.keyboard.press('Tab');
    for (const key of ['ArrowRight', 'ArrowDown']) {
      const before = await focusedLabel(page);
      await page.keyboard.press(key);
      await eventually(async () => expect(await focusedLabel(page)).not.toBe(before));
      await page.keyboard.press('Space');
    }
    await page.getByText('2 selected').waitFor();
    receiver.respond(200);
    for (let presses = 0; presses < 9 && (await focusedLabel(page)) !== 'Send 2 again'; presses += 1)
      await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'delivered' }).nth(1).waitFor();
    await page.getByText('2 selected').waitFor({ state: 'detached' });

    await harness().tieline.sql.query(
      `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until, opened_at)
     VALUES ($1, $2, 'outgoing', 10, now() + interval '1 hour', now())
     ON CONFLICT (target_id) DO UPDATE SET failures = 10, open_until = now() + interval '1 hour'`,
      [subscription.id, space.spaceId],
    );
    await page.getByRole('button', { name: 'Try now' }).waitFor();
    await say(space, channelId, 'three');
    await rows.filter({ hasText: 'pending' }).waitFor();
    await checkAppearance(page, 'outgoing-paused');
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('The receiver returned 200').waitFor();
    await rows.filter({ hasText: 'delivered' }).nth(2).waitFor();
    await page.getByRole('button', { name: 'Try now' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /[Ll]ink/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    const link = page.getByRole('dialog').getByRole('textbox');
    await link.getByText('/portal/').waitFor();
    await checkAppearance(page, 'outgoing-portal');
    const { pathname } = new URL(await link.innerText());
    await page.goto(pathname);
    await portalShows(page);
  },
);

/** Checks the portal: the log, one delivery, and both on a phone. */
async function portalShows(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Pager' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'Delivered' }).first().waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  const { scrolled, shown } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as any).document.documentElement;
    return { scrolled: scrollWidth as number, shown: clientWidth as number };
  });
  expect(scrolled).toBe(shown);
  await page.getByRole('button', { name: 'Show' }).first().click();
  await page.getByRole('dialog').getByText('X-Service-Signature').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'portal');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Your receiver answered 200').waitFor();
}

browserTest('the wizard sees the first request of a program', async () => {
  const space = await harness().createSpace();
  await channel(space);
  const page = await harness().openSignedIn(space.ownerToken, '/incoming');
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByText('Grafana').click();
  await checkAppearance(page, 'incoming-new');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Waiting for the first request').waitFor();
  await checkAppearance(page, 'incoming-waiting');
  const address = await page.getByRole('region', { name: 'Address' }).innerText();
  const { pathname } = new URL(address.trim());
  const refused = await fetch(`${harness().api.url}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"nonsense": 1}',
  });
  expect(refused.status).toBe(400);
  await page.getByText('A request arrived and was rejected').waitFor();
  await page.getByRole('button', { name: 'Send a test from here' }).click();
  await page.getByText('The first request has arrived').waitFor();

  await page.getByRole('link', { name: 'Open webhook' }).click();
  await page.getByRole('row').filter({ hasText: 'accepted' }).waitFor();
  await checkAppearance(page, 'incoming-webhook');
  await page.getByRole('row').filter({ hasText: 'unknown format' }).click();
  await page.getByRole('dialog').getByText('nonsense', { exact: false }).first().waitFor();
  await checkAppearance(page, 'incoming-request');
});

browserTest('the wizard sets the secret of a sender, and the form turns off grouping', async () => {
  const space = await harness().createSpace();
  await channel(space);
  const page = await harness().openSignedIn(space.ownerToken, '/incoming');
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByText('GitHub').click();
  await page.getByLabel('Secret of the sender (optional)').fill('a secret of GitHub');
  await checkAppearance(page, 'incoming-new-signed');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Waiting for the first request').waitFor();
  await page.getByRole('link', { name: 'Open webhook' }).click();
  await page.getByText('A secret is stored').waitFor();
  await checkAppearance(page, 'incoming-webhook-signed');
  const webhooks = async (): Promise<object[]> =>
    (await harness().call('GET', '/api/v1/admin/incoming_webhooks', space.ownerToken))['webhooks'];
  expect(await webhooks()).toMatchObject([
    { require_signature: true, has_native_secret: true, group_alerts: true },
  ]);

  await page.getByText('Group alerts').click();
  await page.getByText('Remove the secret of the sender').click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved').waitFor();
  expect(await webhooks()).toMatchObject([{ has_native_secret: false, group_alerts: false }]);
  await page.getByText('Set the same secret there').waitFor();
});

browserTest('people are invited, roles change, and the audit log says who did it', async () => {
  const space = await harness().createSpace();
  const page = await harness().openSignedIn(space.ownerToken, '/people');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
  await checkAppearance(page, 'people-invite');
  await page.getByRole('button', { name: 'Add and create link' }).click();
  await page.getByRole('textbox', { name: 'Invitation link' }).getByText('#invite=tli_').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row').filter({ hasText: 'Ada' }).click();
  await page.getByText('There is an unused invitation').waitFor();
  await checkAppearance(page, 'people-person');
  await page.getByRole('button', { name: /Member/ }).click();
  await page.getByRole('option', { name: /^Admin/ }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('row').filter({ hasText: 'Ada' }).filter({ hasText: 'Admin' }).waitFor();
  await checkAppearance(page, 'people');
  await page.getByLabel('Name of the space').fill('Acme Ltd');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Acme Ltd').first().waitFor();

  await page.getByRole('link', { name: 'Audit log' }).click();
  const change = page.getByRole('row').filter({ hasText: 'Person changed' });
  await change.filter({ hasText: 'Ada' }).waitFor();
  await checkAppearance(page, 'audit');
  await change.click();
  await checkAppearance(page, 'audit-entry');
  await page.getByRole('button', { name: 'All changes to this object' }).click();
  await page.getByText('Only changes to Ada').waitFor();
  await page.getByRole('button', { name: 'Any action' }).click();
  await page.getByRole('option', { name: 'Invitation link created' }).click();
  await page.getByRole('row').filter({ hasText: 'Invitation link created' }).waitFor();
  await change.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('action')).toBe('user.invited');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit-log.csv');
  await page.getByRole('link', { name: 'Notices' }).click();
  await page.getByText('All good').waitFor();
  await checkAppearance(page, 'notices');
});

browserTest('a webhook can be created with the keyboard only', async () => {
  const space = await harness().createSpace();
  const receiver = await harness().tieline.receiver();
  const page = await harness().openSignedIn(space.ownerToken, '/outgoing');
  await page.getByText('No outgoing webhooks yet').waitFor();
  await tabTo(page, 'New webhook');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New outgoing webhook' }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.type('Typed');
  await page.keyboard.press('Tab');
  await page.keyboard.type(receiver.url);
  await tabTo(page, 'All');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await tabTo(page, /^Keywords, one per line/);
  await page.keyboard.type('outage');
  await tabTo(page, 'Create webhook');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Signing secret' }).waitFor();
  await tabTo(page, 'Open webhook');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Typed' }).waitFor();
});

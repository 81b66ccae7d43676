import type { Page } from 'playwright-core';
import { createApp, requestApp } from '../apps/app-flow.js';
import { browserTest, ConsoleHarness, tabTo } from './browser.js';
import { OAuthApp } from './oauth-app.js';

let started: ConsoleHarness | undefined;

beforeAll(async () => {
  started = await ConsoleHarness.start();
});

afterEach(() => started?.closePages());

afterAll(() => started?.close());

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

/** Adds a member to the space. Returns their token. */
async function memberOf(ownerToken: string, role = 'member'): Promise<string> {
  const person = { display_name: 'Mia', role };
  return (await harness().call('POST', '/api/v1/admin/users', ownerToken, person)).token as string;
}

/** Lets the install page of the app start an authorization, as the app's server would. */
async function serveInstallPage(page: Page, app: OAuthApp): Promise<void> {
  await page.context().route('https://deploys.example/install', async (route) => {
    const { address } = await app.begin();
    await route.fulfill({ status: 302, headers: { location: address } });
  });
}

const INSTALLED = { name: 'Deploys' };

browserTest('an app is found in the directory by keyboard alone, installed, and revoked', async () => {
  const { ownerToken } = await harness().createSpace('Directory');
  const app = await OAuthApp.create(harness(), ownerToken);
  await harness().call('POST', '/api/v1/admin/apps', ownerToken, {
    name: 'Vacations',
    description: 'Asks who is away',
    redirect_uris: ['https://vacations.example/callback'],
  });
  const page = await harness().openSignedIn(ownerToken, '/apps');
  await page.getByRole('row', { name: 'Vacations' }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'apps');
  await tabTo(page, 'Search apps');
  await page.keyboard.type('nothing like that');
  await page.getByRole('heading', { name: 'No app matches' }).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('dep');
  await page.getByRole('row', { name: 'Vacations' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('q')).toBe('dep');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Deploys', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Its bot may' }).getByText('Send messages, and edit').waitFor();
  await page.getByRole('region', { name: 'On your behalf it may' }).getByText('Read messages').waitFor();
  await page.getByText('You continue at deploys.example.').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app');
  await serveInstallPage(page, app);
  await tabTo(page, 'Install');
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const consent = await opened;
  await consent.getByRole('heading', { name: 'Allow the app “Deploys”?' }).waitFor();
  await consent.getByRole('button', { name: 'Allow', exact: true }).click();
  await consent.waitForURL((url) => url.href.startsWith(app.redirectUri));

  await page.reload();
  await page.getByText('Installed', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Connect' }).waitFor();
  await page.getByRole('button', { name: 'Owner' }).click();
  await page.getByRole('link', { name: 'Connected apps' }).click();
  await page.getByRole('region', { name: 'Deploys' }).getByText('Read messages').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'authorizations');
  await tabTo(page, 'Revoke what you allowed Deploys');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Revoke what you allowed “Deploys”?' }).waitFor();
  await tabTo(page, 'Revoke access');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No connected apps' }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  const { authorizations } = await harness().call('GET', '/api/v1/client/authorizations', ownerToken);
  expect(authorizations).toEqual([]);
  const { installations } = await harness().call('GET', '/api/v1/admin/installations', ownerToken);
  expect(installations).toMatchObject([INSTALLED]);
});

browserTest('a member sees that an app needs an admin, and that the request waits', async () => {
  const { ownerToken } = await harness().createSpace();
  const app = await OAuthApp.create(harness(), ownerToken);
  const page = await harness().openSignedIn(await memberOf(ownerToken), '/apps');
  await serveInstallPage(page, app);
  await page.getByRole('row', { name: 'Deploys' }).click();
  await page.getByText('An admin must approve this app.').waitFor();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Request', exact: true }).click();
  const consent = await opened;
  await consent.getByRole('button', { name: 'Request approval' }).click();
  await consent.getByRole('heading', { name: 'Waiting for an admin' }).waitFor();
  await page.reload();
  await page.getByText('Admins have your request.').waitFor();
  await page.getByText('Waiting for an admin', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Request', exact: true }).count()).toBe(0);
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app-requested');
});

browserTest('a guest sees apps without a button, and an unknown app shows as not found', async () => {
  const { ownerToken } = await harness().createSpace();
  await OAuthApp.create(harness(), ownerToken);
  const page = await harness().openSignedIn(await memberOf(ownerToken, 'guest'), '/apps', {
    width: 'narrow',
  });
  await page.getByRole('row', { name: 'Deploys' }).click();
  await page.getByText('Guests cannot install apps.').waitFor();
  expect(await page.getByRole('link', { name: /Install|Connect|Request/ }).count()).toBe(0);
  await page.goto('/apps/01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71');
  await page.getByText('Not found', { exact: true }).waitFor();
});

browserTest('an admin approves and denies requests by keyboard alone, and uninstalls the app', async () => {
  const { ownerToken } = await harness().createSpace('Approving');
  const { conversation } = await harness().call('POST', '/api/v1/client/conversations', ownerToken, {
    type: 'channel',
    name: 'deploys',
  });
  const memberToken = await memberOf(ownerToken);
  for (const name of ['Deploys', 'Spam'])
    await requestApp(harness().api, {
      app: await createApp(harness().api, ownerToken, { name }),
      memberToken,
      adminToken: ownerToken,
    });
  const page = await harness().openSignedIn(ownerToken, '/notices');
  await page.getByRole('row', { name: 'A member asks to install the app “Spam”.' }).waitFor();
  await page.getByRole('link', { name: /^Open.*Spam/ }).click();
  await page.getByRole('heading', { name: 'Requests (2)' }).waitFor();
  await page.getByRole('link', { name: /^Installed apps\s*2$/ }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app-requests');

  await tabTo(page, /^AppSpam/);
  // From a row to its last cell, which is the button.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  const spam = page.getByRole('dialog', { name: 'Install “Spam”?' });
  await spam.getByText('Mia asks for it.').waitFor();
  await tabTo(page, 'Deny');
  await page.keyboard.press('Enter');
  await spam.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Requests (1)' }).waitFor();
  await page.getByRole('button', { name: 'Review the request for Deploys by Mia' }).click();
  const review = page.getByRole('dialog', { name: 'Install “Deploys”?' });
  await review.getByRole('region', { name: 'Its bot may' }).getByText('Send messages, and edit').waitFor();
  await review.getByRole('radio', { name: 'Some channels' }).click();
  expect(await review.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  await review.getByRole('checkbox', { name: '#deploys' }).click({ force: true });
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app-request');
  await review.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'No requests' }).waitFor();
  const installations = async () =>
    (await harness().call('GET', '/api/v1/admin/installations', ownerToken)).installations;
  expect(await installations()).toMatchObject([{ name: 'Deploys', channel_ids: [conversation.id] }]);
  await page.getByRole('radio', { name: 'Last 90 days' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: /Spam.*Denied/ })
    .waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: /Deploys.*Approved/ })
    .waitFor();

  await page.getByRole('grid', { name: 'Apps' }).getByRole('row', { name: 'Deploys' }).click();
  await page.getByRole('dialog', { name: 'Deploys' }).getByText('1 channel').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app-installed');
  await page.getByRole('button', { name: 'Uninstall' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Uninstall “Deploys”?' });
  await confirmation.getByText('Its bot is deactivated, with its token.').waitFor();
  await confirmation.getByText('Everything that people allowed it is revoked.').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'app-uninstall');
  await confirmation.getByRole('button', { name: 'Uninstall app' }).click();
  await page.getByRole('heading', { name: 'No apps installed' }).waitFor();
  expect(await installations()).toEqual([]);
});

browserTest('an admin lets members install apps without an approval', async () => {
  const { ownerToken } = await harness().createSpace();
  const page = await harness().openSignedIn(ownerToken, '/people');
  await page.getByRole('checkbox', { name: /Members need an approval for apps/ }).click({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changes saved').waitFor();
  const { space } = await harness().call('GET', '/api/v1/admin/space', ownerToken);
  expect(space.apps_need_approval).toBe(false);
});

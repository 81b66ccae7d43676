import { browserTest, ConsoleHarness, tabTo } from './browser.js';

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

const REDIRECT_URI = 'https://deploys.example/callback';

browserTest('an app is created by keyboard alone, and its secrets are shown once', async () => {
  const { ownerToken } = await harness().createSpace('Developing');
  const page = await harness().openSignedIn(ownerToken, '/own-apps');
  await page.getByRole('heading', { name: 'No own apps yet' }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await tabTo(page, 'New app');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New app' }).waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.keyboard.type('Deploys');
  await page.keyboard.press('Enter');
  await page.getByText('This field is required.').waitFor();
  await page.keyboard.type('not an address');
  await tabTo(page, 'Create app');
  await page.keyboard.press('Enter');
  await page.locator('[data-invalid] >> text=/^Must /').waitFor();
  await harness().takeScreenshots(page, 'own-app-new');
  const redirects = page.getByRole('textbox', { name: 'Redirect URIs' });
  await redirects.fill(REDIRECT_URI);
  const permissions = page.getByRole('group', { name: 'Permissions of its bot' });
  await permissions.getByRole('checkbox', { name: /^messages:write/ }).click({ force: true });
  await redirects.focus();
  await tabTo(page, 'Create app');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Deploys is created' }).waitFor();
  const secret = await page.getByRole('textbox', { name: 'Client secret' }).innerText();
  expect(secret).toMatch(/^tlk_/);
  expect(await page.getByRole('textbox', { name: 'Signing secret of events' }).innerText()).toMatch(
    /^whsec_/,
  );
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'own-app-created');
  await tabTo(page, 'Open app');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Deploys', level: 1, exact: true }).waitFor();
  expect(await page.content()).not.toContain(secret);
  const { apps } = await harness().call('GET', '/api/v1/admin/apps', ownerToken);
  expect(apps).toMatchObject([
    { name: 'Deploys', redirect_uris: [REDIRECT_URI], bot_scopes: ['messages:write'] },
  ]);
  await page.getByText(apps[0].client_id).waitFor();
});

browserTest('an app is edited, its client secret is replaced, and it is deleted', async () => {
  const { ownerToken } = await harness().createSpace();
  const { app, client_secret: old } = await harness().call('POST', '/api/v1/admin/apps', ownerToken, {
    name: 'Deploys',
    redirect_uris: [REDIRECT_URI],
  });
  const page = await harness().openSignedIn(ownerToken, '/own-apps');
  await page.getByRole('row', { name: 'Deploys' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Releases');
  await page.getByRole('button', { name: /Distribution/ }).click();
  await page.getByRole('option', { name: /^All spaces/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Releases', level: 1 }).waitFor();
  await page.getByText('Waiting for the operator').waitFor();
  const { app: changed } = await harness().call('GET', `/api/v1/admin/apps/${app.id}`, ownerToken);
  expect(changed).toMatchObject({ name: 'Releases', distribution: 'listed', redirect_uris: [REDIRECT_URI] });
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'own-app');

  await page.getByRole('button', { name: 'New client secret' }).click();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  const fresh = await page.getByRole('textbox', { name: 'New client secret' }).innerText();
  expect(fresh).toMatch(/^tlk_/);
  expect(fresh).not.toBe(old);
  expect(await harness().axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The previous client secret ends').waitFor();

  await page.getByRole('tab', { name: 'Manifest' }).click();
  const shown = await page.getByRole('region', { name: 'Manifest', exact: true }).locator('code').innerText();
  const { manifest } = await harness().call('GET', `/api/v1/admin/apps/${app.id}/manifest`, ownerToken);
  expect(JSON.parse(shown)).toEqual(manifest);
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'own-app-manifest');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('Releases.json');

  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete app' }).click();
  await page.getByRole('dialog', { name: 'Delete the app “Releases”?' }).waitFor();
  await page.getByRole('button', { name: 'Delete app' }).click();
  await page.getByRole('heading', { name: 'No own apps yet' }).waitFor();
});

browserTest('an app is changed by its manifest, after a check that shows the difference', async () => {
  const { ownerToken } = await harness().createSpace();
  const created = await harness().call('POST', '/api/v1/admin/apps/manifest', ownerToken, {
    manifest: {
      name: 'Deploys',
      bot_scopes: ['commands'],
      bot: { event_delivery_mode: 'poll' },
      commands: [{ name: 'deploy' }],
    },
  });
  const { id } = created.app as { id: string };
  const page = await harness().openSignedIn(ownerToken, `/own-apps/${id}?tab=manifest`);
  const field = page.getByRole('textbox', { name: 'Manifest (JSON)' });
  const check = page.getByRole('button', { name: 'Check' });
  const difference = page.getByRole('region', { name: 'Difference' });
  await check.click();
  await difference.getByText('The app is equal to the manifest.').waitFor();
  const manifest = JSON.parse(await field.inputValue()) as object;
  await field.fill(JSON.stringify({ ...manifest, description: 'Ships it', commands: [{ name: 'ship' }] }));
  await check.click();
  await difference.getByText('Command: /ship').waitFor();
  await difference.getByText('App: Deploys').waitFor();
  await difference.getByText('description: "" → "Ships it"').waitFor();
  await difference.getByText('Command: /deploy').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'own-app-difference');
  const stored = async () =>
    (await harness().call('GET', `/api/v1/admin/apps/${id}/manifest`, ownerToken)).manifest;
  expect(await stored()).toEqual(manifest);

  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByRole('textbox', { name: 'Signing secret of /ship' }).waitFor();
  expect(await stored()).toMatchObject({ description: 'Ships it', commands: [{ name: 'ship' }] });
  expect(await harness().axeViolations(page)).toEqual([]);
});

browserTest('a manifest is checked before it creates an app, and names what is left out', async () => {
  const { ownerToken } = await harness().createSpace();
  const page = await harness().openSignedIn(ownerToken, '/own-apps/manifest');
  const field = page.getByRole('textbox', { name: 'Manifest (JSON)' });
  const check = page.getByRole('button', { name: 'Check' });
  await field.fill('{');
  await check.click();
  await page.getByText('This is not valid JSON.').waitFor();
  await field.fill('{"name": "Deploys", "commands": [{"name": "not a name"}], "bot_scopes": ["commands"]}');
  await check.click();
  await page
    .locator('[data-invalid]')
    .getByText(/commands\[0\]/)
    .waitFor();
  const manifest = {
    display_information: { name: 'Deploys' },
    features: {
      bot_user: { display_name: 'Deploy bot' },
      slash_commands: [{ command: '/deploy', url: 'https://example.com/slash', description: 'Deploys' }],
      shortcuts: [{ name: 'A', type: 'global', callback_id: 'a', description: 'A' }],
      app_home: { home_tab_enabled: true },
    },
    oauth_config: { scopes: { bot: ['commands', 'chat:write'] } },
  };
  await field.fill(JSON.stringify(manifest, null, 2));
  await check.click();
  const preview = page.getByRole('region', { name: 'What will be created' });
  await preview.getByText('Bot: Deploy bot').waitFor();
  await preview.getByText('Command: /deploy').waitFor();
  await preview.getByText('Shortcut: A').waitFor();
  await preview.getByText('features.app_home has no counterpart and is left out').waitFor();
  expect(await harness().axeViolations(page)).toEqual([]);
  await harness().takeScreenshots(page, 'own-app-check');
  expect((await harness().call('GET', '/api/v1/admin/apps', ownerToken)).apps).toEqual([]);

  await page.getByRole('button', { name: 'Create app' }).click();
  await page.getByRole('heading', { name: 'Deploys is created' }).waitFor();
  const token = await page.getByRole('textbox', { name: 'Bot token' }).innerText();
  await harness().call('GET', '/api/v1/bot/me', token);
  expect(await page.getByRole('textbox', { name: 'Signing secret of /deploy' }).innerText()).toMatch(
    /^whsec_/,
  );
  expect(await harness().axeViolations(page)).toEqual([]);
});

import type { Page } from 'playwright-core';
import { browserTest, ConsoleHarness } from './browser.js';

let started: ConsoleHarness | undefined;

beforeAll(async () => {
  started = await ConsoleHarness.start();
});

afterAll(() => started?.close());

function harness(): ConsoleHarness {
  if (!started) throw new Error('no browser');
  return started;
}

/** Opens a page. @returns it with the errors it logs, including refused requests */
async function withErrors(): Promise<{ page: Page; errors: string[] }> {
  const page = await harness().openPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
  });
  return { page, errors };
}

browserTest('the first load of the console writes no error', async () => {
  const { page, errors } = await withErrors();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Sign in to Tieline' }).waitFor();
  await page.goto('/operator');
  await page.getByRole('main').waitFor();
  await page.waitForLoadState('networkidle');
  expect(errors).toEqual([]);
});

browserTest('a page that was loaded signed out finds a session that another tab has opened', async () => {
  const { ownerToken } = await harness().createSpace('Two tabs');
  const page = await harness().openPage();
  await page.goto('/overview');
  await page.getByRole('heading', { name: 'Sign in to Tieline' }).waitFor();
  await page.request.post('/api/v1/client/session', { data: { token: ownerToken } });
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

browserTest('the API page shows its operations under its policy without inline scripts', async () => {
  const { page, errors } = await withErrors();
  const answer = await page.goto('/api/docs');
  expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  // Swagger UI draws nothing before it has read the whole document of 1.6 MB, which takes long on a
  // busy machine.
  await page.getByRole('button', { name: 'Authorize' }).first().waitFor({ timeout: 60_000 });
  await page.locator('.opblock-tag').first().waitFor();
  await page.waitForLoadState('networkidle');
  const ran = await page.evaluate(() => {
    const { document } = globalThis as any;
    const script = document.createElement('script');
    script.textContent = 'globalThis.ranInline = true';
    document.body.append(script);
    return Boolean((globalThis as any).ranInline);
  });
  expect(ran).toBe(false);
  expect(errors.filter((error) => !error.includes('inline script'))).toEqual([]);
  // The refusals above are intended, so they are not faults.
  harness().faults.length = 0;
});

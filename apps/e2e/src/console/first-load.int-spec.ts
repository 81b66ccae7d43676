import type { Page } from 'playwright-core';
import { browserTest, ConsoleRig } from './browser.js';

let started: ConsoleRig | undefined;

beforeAll(async () => {
  started = await ConsoleRig.start({ worker: false });
});

afterAll(() => started?.close());

function rig(): ConsoleRig {
  if (!started) throw new Error('no browser');
  return started;
}

/** Whatever a page writes to the browser's console as an error, refused requests included. */
async function withErrors(): Promise<{ page: Page; errors: string[] }> {
  const page = await rig().page();
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
  const { ownerToken } = await rig().space('Two tabs');
  const page = await rig().page();
  await page.goto('/overview');
  await page.getByRole('heading', { name: 'Sign in to Tieline' }).waitFor();
  await page.request.post('/api/v1/client/session', { data: { token: ownerToken } });
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

browserTest(
  'the page of the API shows its operations under its policy, and runs no inline script',
  async () => {
    const { page, errors } = await withErrors();
    const answer = await page.goto('/api/docs');
    expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
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
    // What was refused here on purpose is no fault of the page.
    rig().faults.length = 0;
  },
);

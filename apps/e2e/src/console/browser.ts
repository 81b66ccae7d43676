import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { TEST_ENVIRONMENT } from '@tieline/testing';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { shareTieline } from '../share-tieline.js';
import { call, expectOk } from '../tieline.js';
import type { Tieline } from '../tieline.js';

const installed = (...files: (string | undefined)[]): string | undefined =>
  files.find((file) => file !== undefined && existsSync(file));
const FULL = installed(process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser');
/**
 * The browsers of tests. The headless shell is the same engine for less than half of the processor
 * time, but has no notifications.
 */
const BROWSERS = {
  pages: process.env.CHROMIUM ? FULL : (installed('/usr/bin/chromium-headless-shell') ?? FULL),
  notifications: FULL,
};
type BrowserFor = keyof typeof BROWSERS;
/** Widths at which every page is tested: a laptop and a phone. */
const WIDTHS = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } } as const;
const THEMES = ['light', 'dark'] as const;
/**
 * Ends what hangs. A busy machine may take long to open a page in the middle of a history: with
 * the processor slowed down to a twelfth its first message appeared after 23 s.
 */
const BUSY_MS = 60_000;

/** A test that needs a browser. Without one it reports that loudly and passes. */
export function browserTest(name: string, test: () => Promise<void>, what: BrowserFor = 'pages'): void {
  it(name, async () => {
    if (BROWSERS[what]) return test();
    process.stderr.write(`\n!!! NOT TESTED, no Chromium (apt-get install chromium): ${name}\n\n`);
  });
}

interface PageOptions {
  width?: keyof typeof WIDTHS;
  theme?: (typeof THEMES)[number];
  language?: 'en' | 'ru';
}

/** Starts or shares a product. */
type Product = () => Promise<{ tieline: Tieline; api: { url: string } }>;

/** A space whose owner runs the tests. */
export interface ConsoleSpace {
  spaceId: string;
  ownerId: string;
  ownerToken: string;
}

/**
 * A product and a browser for a file of tests. Violations of the Content-Security-Policy and
 * console errors of pages are faults, for which `close` throws.
 */
export class ConsoleHarness {
  readonly faults: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly tieline: Tieline,
    readonly api: { url: string },
    private readonly browser: Browser,
    private readonly axe: string,
    private readonly scripts: readonly string[],
  ) {}

  /**
   * Starts a browser for the shared product, or for another one. `pollsOften` is for tests that
   * would otherwise wait for a page's next poll (three seconds or more). Undefined without a
   * browser.
   */
  static async start({
    pollsOften = false,
    product = shareTieline as Product,
    what = 'pages' as BrowserFor,
  } = {}): Promise<ConsoleHarness | undefined> {
    const executablePath = BROWSERS[what];
    if (!executablePath) return undefined;
    const [{ tieline, api }, browser, axe] = await Promise.all([
      product(),
      chromium.launch({ executablePath, args: ['--no-sandbox'] }),
      readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    ]);
    return new ConsoleHarness(tieline, api, browser, axe, pollsOften ? [POLL_OFTEN] : []);
  }

  /** Creates a space with its owner. */
  async createSpace(name = 'Acme'): Promise<ConsoleSpace> {
    const made = await expectOk(
      call(this.api, 'POST', '/api/v1/operator/spaces', TEST_ENVIRONMENT.OPERATOR_TOKEN, {
        name,
        plan: 'enterprise',
      }),
    );
    return { spaceId: made.space.id, ownerId: made.owner.id, ownerToken: made.owner_token };
  }

  /** Makes a call with this token that must succeed, to prepare a test. */
  async call(method: string, path: string, token: string, body?: object): Promise<Record<string, any>> {
    return expectOk(call(this.api, method, path, token, body));
  }

  /** Origin of the pages, as in PUBLIC_URL, because links to files use it. */
  get origin(): string {
    return this.api.url.replace('127.0.0.1', 'localhost');
  }

  /** Opens a page in a new browser context. */
  async openPage({ width = 'wide', theme = 'light', language = 'en' }: PageOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.origin,
      viewport: WIDTHS[width],
      colorScheme: theme,
      locale: language === 'ru' ? 'ru-RU' : 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    this.contexts.push(context);
    context.setDefaultTimeout(BUSY_MS);
    for (const content of this.scripts) await context.addInitScript({ content });
    const page = await context.newPage();
    page.on('pageerror', (error) => this.faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isRefusal(message.text()))
        this.faults.push(`${page.url()}: ${message.text()}`);
    });
    return page;
  }

  /** Opens a page at an address of the console, signed in with the token. */
  async openSignedIn(token: string, address = '/', options: PageOptions = {}): Promise<Page> {
    const page = await this.openPage(options);
    const response = await page.request.post('/api/v1/client/session', { data: { token } });
    if (!response.ok()) throw new Error(`not signed in: ${response.status()}`);
    await page.goto(address);
    return page;
  }

  /**
   * @returns serious and critical axe violations in light and dark theme, one line per rule and
   *   place
   */
  async axeViolations(page: Page): Promise<string[]> {
    const faults: string[] = [];
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(this.axe);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      // In the other theme only colors can differ.
      const only = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] };
      const found = await page.evaluate(async (rules) => {
        // The colors change two frames later.
        await new Promise((drawn) =>
          (globalThis as any).requestAnimationFrame(() => (globalThis as any).requestAnimationFrame(drawn)),
        );
        const { violations } = await (globalThis as any).axe.run(
          // React Aria's live region for screen readers; it may refer to removed elements.
          { exclude: [['[data-live-announcer]']] },
          { resultTypes: ['violations'], ...rules },
        );
        return violations as {
          id: string;
          impact: string;
          nodes: { html: string; failureSummary: string }[];
        }[];
      }, only);
      const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      faults.push(
        ...serious.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html}\n${failureSummary}`),
        ),
      );
    }
    return faults;
  }

  /**
   * Takes screenshots of the page at both widths in both themes if TIELINE_SCREENSHOTS names a
   * folder: `<name>-wide-dark.png`.
   */
  async takeScreenshots(page: Page, name: string): Promise<void> {
    const folder = process.env.TIELINE_SCREENSHOTS;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    for (const [width, size] of Object.entries(WIDTHS)) {
      await page.setViewportSize(size);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: path.join(folder, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
    }
    await page.setViewportSize(WIDTHS.wide);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** Closes the pages of a test, which would otherwise keep polling during the next one. */
  async closePages(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  /** @throws if a page reported an error or a violation of its Content-Security-Policy */
  async close(): Promise<void> {
    await this.browser.close();
    await this.tieline.close();
    if (this.faults.length > 0) throw new Error(`pages reported faults:\n${this.faults.join('\n')}`);
  }
}

/** Speeds up timers: intervals of two seconds or more run twice per second. */
const POLL_OFTEN = `{
  const every = globalThis.setInterval;
  globalThis.setInterval = (work, ms, ...values) => every(work, ms >= 2000 ? 500 : ms, ...values);
}`;

/** Browsers log every 4xx response to the console, including the one for missing sign-in. */
const isRefusal = (text: string): boolean => /^Failed to load resource: .* status of 4\d\d/.test(text);

/**
 * Presses Tab until the focused element has this accessible text. @throws after 60 presses, because
 * the keyboard cannot reach it
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  // Keys pressed before the page is ready are lost.
  await page.locator('main').waitFor({ state: 'attached' });
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const document = (globalThis as any).document;
      const element = document.activeElement;
      const labelled = element?.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labels = labelled.map((id: string) => document.getElementById(id)?.textContent ?? '').join(' ');
      const own = element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
      return (element?.getAttribute('aria-label') ?? (labels || own)).trim() as string;
    });
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    seen.push(focused);
  }
  throw new Error(`Tab does not reach ${name}; seen: ${seen.join(' | ')}`);
}

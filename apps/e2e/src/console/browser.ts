import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { TEST_ENVIRONMENT } from '@tieline/testing';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { call, expectOk, Tieline } from '../tieline.js';

const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (file) => file !== undefined && existsSync(file),
);
/** Widths at which every page is looked at: a laptop and a phone. */
const WIDTHS = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } } as const;
const THEMES = ['light', 'dark'] as const;

/** Whether there is a browser to test with. Without one the tests say so, loudly, and pass. */
export const hasBrowser = CHROMIUM !== undefined;

/** A test that needs a browser. */
export function browserTest(name: string, test: () => Promise<void>): void {
  it(name, async () => {
    if (hasBrowser) return test();
    process.stderr.write(`\n!!! NOT TESTED, no Chromium (apt-get install chromium): ${name}\n\n`);
  });
}

interface PageOptions {
  width?: keyof typeof WIDTHS;
  theme?: (typeof THEMES)[number];
  language?: 'en' | 'ru';
}

/** A space whose owner the tests are. */
export interface ConsoleSpace {
  spaceId: string;
  ownerId: string;
  ownerToken: string;
}

/**
 * One product and one browser for a file of tests. Whatever the Content-Security-Policy refuses and
 * whatever a page writes to its console as an error is a fault of the file; `close` throws for
 * them.
 */
export class ConsoleRig {
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
   * With a worker where deliveries, clicks and jobs matter; with `pollsOften` where tests would
   * wait for the next look of a page at the server, every three seconds and more; `env` goes over
   * the settings of the tests. Undefined without a browser.
   */
  static async start({ worker = true, pollsOften = false, env = {} as Record<string, string> } = {}): Promise<
    ConsoleRig | undefined
  > {
    if (!CHROMIUM) return undefined;
    const tieline = await Tieline.create(env);
    try {
      const [api, browser, axe] = await Promise.all([
        tieline.start('api'),
        chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] }),
        readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
        worker ? tieline.start('worker') : undefined,
      ]);
      return new ConsoleRig(tieline, api, browser, axe, pollsOften ? [POLL_OFTEN] : []);
    } catch (error) {
      await tieline.close();
      throw error;
    }
  }

  /** A space with its owner. */
  async space(name = 'Acme'): Promise<ConsoleSpace> {
    const made = await expectOk(
      call(this.api, 'POST', '/api/v1/operator/spaces', TEST_ENVIRONMENT.OPERATOR_TOKEN, {
        name,
        plan: 'enterprise',
      }),
    );
    return { spaceId: made.space.id, ownerId: made.owner.id, ownerToken: made.owner_token };
  }

  /** A call as whoever has the token, which must succeed: what a test needs to be there. */
  async made(method: string, path: string, token: string, body?: object): Promise<Record<string, any>> {
    return expectOk(call(this.api, method, path, token, body));
  }

  /** Where pages are: as PUBLIC_URL has it, for links to files lead there. */
  get origin(): string {
    return this.api.url.replace('127.0.0.1', 'localhost');
  }

  /** A page of a browser that nobody has used. */
  async page({ width = 'wide', theme = 'light', language = 'en' }: PageOptions = {}): Promise<Page> {
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
    context.setDefaultTimeout(15_000);
    for (const content of [this.axe, ...this.scripts]) await context.addInitScript({ content });
    const page = await context.newPage();
    page.on('pageerror', (error) => this.faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isRefusal(message.text()))
        this.faults.push(`${page.url()}: ${message.text()}`);
    });
    return page;
  }

  /** A page that is signed in with the token, at an address of the console. */
  async signedIn(token: string, address = '/', options: PageOptions = {}): Promise<Page> {
    const page = await this.page(options);
    const answer = await page.request.post('/api/v1/client/session', { data: { token } });
    if (!answer.ok()) throw new Error(`not signed in: ${answer.status()}`);
    await page.goto(address);
    return page;
  }

  /**
   * @returns what axe finds serious or critical, in light and in dark: one line per rule and place
   */
  async axeFaults(page: Page): Promise<string[]> {
    const faults: string[] = [];
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      // The same page in other colours: nothing else can be another.
      const only = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] };
      const found = await page.evaluate(async (rules) => {
        // Colours of the other theme are there two frames later.
        await new Promise((drawn) =>
          (globalThis as any).requestAnimationFrame(() => (globalThis as any).requestAnimationFrame(drawn)),
        );
        const { violations } = await (globalThis as any).axe.run(
          // React Aria's own place for what screen readers hear: it may name an element that has
          // gone since.
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
   * With TIELINE_SCREENSHOTS set: pictures of the page at both widths in both themes,
   * `<name>-wide-dark.png`, in that folder.
   */
  async pictures(page: Page, name: string): Promise<void> {
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

  /** Closes the pages of a test: they would go on asking the server while the next one runs. */
  async closePages(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  /** @throws when a page has reported an error or a breach of its Content-Security-Policy */
  async close(): Promise<void> {
    await this.browser.close();
    await this.tieline.close();
    if (this.faults.length > 0) throw new Error(`pages reported faults:\n${this.faults.join('\n')}`);
  }
}

/** Whatever a page does every two seconds or less often it does twice a second. */
const POLL_OFTEN = `{
  const every = globalThis.setInterval;
  globalThis.setInterval = (work, ms, ...values) => every(work, ms >= 2000 ? 500 : ms, ...values);
}`;

/**
 * Browsers write every answer of 4xx to the console, also the one that says that nobody is signed
 * in.
 */
const isRefusal = (text: string): boolean => /^Failed to load resource: .* status of 4\d\d/.test(text);

/**
 * Presses Tab until the focused element has this accessible text. @throws after 60 presses:
 * keyboards cannot reach it
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  // Keys that are pressed while the page is still being made go nowhere.
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
  throw new Error(`no Tab leads to ${name}; seen: ${seen.join(' | ')}`);
}

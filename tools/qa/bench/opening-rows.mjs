// (o) The console in a browser that has nothing of it yet.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { median } from './load.mjs';
import { createWorkspace } from '../world.mjs';

const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (file) => file !== undefined && existsSync(file),
);
const AIM_MS = 1500;

/**
 * Measures the time to the first contentful paint: the sign-in page, the overview of a signed-in
 * admin, and a text-only page as the floor.
 */
export async function opening(product, { rounds }) {
  if (!CHROMIUM) {
    console.log('No Chromium: the rows of the console are left out.');
    return [];
  }
  const api = await product.start('api');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const { owner } = await createWorkspace(api.url, 1);
    // As PUBLIC_URL has it.
    const origin = api.url.replace('127.0.0.1', 'localhost');
    /** @type {Record<'door' | 'inside' | 'bare', number[]>} */
    const runs = { door: [], inside: [], bare: [] };
    for (let round = -1; round < rounds; round += 1) {
      const bare = await firstContent(browser, `${origin}/health/live`);
      const door = await firstContent(browser, `${origin}/overview`);
      const inside = await firstContent(browser, `${origin}/overview`, owner);
      if (round < 0) continue;
      runs.bare.push(bare);
      runs.door.push(door);
      runs.inside.push(inside);
    }
    return [row('the door', runs.door, runs.bare), row('the overview', runs.inside, runs.bare)];
  } finally {
    await browser.close();
    await api.stop();
  }
}

function row(what, times, bare) {
  return {
    row: `first content of ${what} of the console, cold cache`,
    ours: `${Math.round(median(times))} ms`,
    floor: `of bare words ${Math.round(median(bare))} ms`,
    ratio: median(times.map((ms, n) => ms / bare[n])),
    target: `aim ${AIM_MS} ms`,
  };
}

/** In milliseconds. A new browser context has an empty cache. */
async function firstContent(browser, address, token) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    if (token !== undefined) {
      const url = new URL('/api/v1/client/session', address).href;
      const answer = await page.request.post(url, { data: { token } });
      if (!answer.ok()) throw new Error(`not signed in: ${answer.status()}`);
    }
    await page.goto(address);
    return await page.evaluate(
      () =>
        new Promise((found) =>
          new PerformanceObserver((list) => {
            for (const { name, startTime } of list.getEntries())
              if (name === 'first-contentful-paint') found(startTime);
          }).observe(/** @type {any} */ ({ type: 'paint', buffered: true })),
        ),
    );
  } finally {
    await context.close();
  }
}

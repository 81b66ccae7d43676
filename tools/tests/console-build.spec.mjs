import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildConsole } from '../build-console.mjs';
import { ROOT } from './node-script.mjs';

const DIST = join(ROOT, 'apps/console/dist');
const FIRST_PAGE_BYTES = 350_000;

let manifest;

beforeAll(async () => {
  await buildConsole();
  manifest = JSON.parse(await readFile(join(DIST, '.vite/manifest.json'), 'utf8'));
});

/** A chunk with everything that is loaded before it runs. */
function withImports(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const other of manifest[key].imports ?? []) withImports(other, seen);
  return seen;
}

async function compressedSize(file) {
  const content = await readFile(join(DIST, file));
  return file.endsWith('.woff2') ? content.length : gzipSync(content).length;
}

async function firstPage(...pages) {
  const chunks = new Set(['index.html', ...pages].flatMap((key) => [...withImports(key)]));
  const files = [...chunks].flatMap((key) => {
    const { file, css = [], assets = [] } = manifest[key];
    return [file, ...css, ...assets];
  });
  const sizes = await Promise.all([...new Set(files)].map(compressedSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('the first page of everybody, fonts and frame with it, stays small', async () => {
  const layout = 'src/app/layout/layout.tsx';
  expect(await firstPage(layout, 'src/areas/overview/overview-page.tsx')).toBeLessThan(FIRST_PAGE_BYTES);
  expect(await firstPage(layout, 'src/areas/bots/bots-page.tsx')).toBeLessThan(FIRST_PAGE_BYTES);
  expect(await firstPage(layout, 'src/areas/chat/chat-page.tsx')).toBeLessThan(FIRST_PAGE_BYTES);
});

it('areas come when somebody goes there', () => {
  const first = withImports('index.html');
  const pages = Object.keys(manifest).filter((key) => /^src\/areas\/.*-page\.tsx$/.test(key));
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) {
    expect(manifest[page].isDynamicEntry).toBe(true);
    expect(first.has(page)).toBe(false);
  }
});

it('the page holds nothing inline, which its policy would refuse', async () => {
  const page = await readFile(join(DIST, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\bon\w+=/);
});

it('has nothing to do when nothing changed', async () => {
  const { mtimeMs } = await stat(join(DIST, 'index.html'));
  expect(await buildConsole()).toBeUndefined();
  expect((await stat(join(DIST, 'index.html'))).mtimeMs).toBe(mtimeMs);
});

it('the api serves the page at every address that the console has', async () => {
  const { PAGES } = await import(new URL('../../libs/console/dist/pages.js', import.meta.url).href);
  const { ownFiles } = await import('../lint/sources.mjs');
  const areas = (await ownFiles(ROOT, join(ROOT, 'apps/console/src'))).filter((file) =>
    /areas\/[^/]+\/area\.ts$|app\/routes\.tsx$/.test(file),
  );
  const texts = await Promise.all(areas.map((file) => readFile(join(ROOT, file), 'utf8')));
  const paths = texts
    .filter((text) => !text.includes('getParentRoute: () => operatorRoute'))
    .flatMap((text) => [...text.matchAll(/\bpath: '(\/[a-z-]+(?:\/[a-z-]+)*)/g)].map(([, start]) => start));
  expect(paths.length).toBeGreaterThan(3);
  const isServed = (path) => PAGES.some((page) => `${path}/`.startsWith(`/${page}/`));
  expect(paths.filter((path) => !isServed(path))).toEqual([]);
});

/**
 * Builds `apps/console` with Vite into `apps/console/dist`, and compresses each file. Skips the
 * build if nothing has changed. Vite runs in a separate process so that it leaves nothing behind in
 * the one that starts the product.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const APP = join(ROOT, 'apps/console');
const DIST = join(APP, 'dist');
const STAMP = join(DIST, '.build.json');
/** Inputs of the build. The lockfile contains the versions of packages. */
const SOURCES = [
  'apps/console',
  'libs/markup/src',
  'libs/sdk/src/api',
  'package-lock.json',
  'tools/build-console.mjs',
];
const COMPRESSED = /\.(js|css|svg|txt|json)$/;

/**
 * @returns {Promise<number | undefined>} milliseconds that it took, undefined when there was
 * nothing to do
 */
export async function buildConsole() {
  const started = performance.now();
  const key = await keyOf(SOURCES);
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === key) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'tieline-console-'));
  try {
    await vite(folder);
    await publish(folder);
    await writeWhole(STAMP, key);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return Math.round(performance.now() - started);
}

/**
 * Names, sizes and times of change of all sources; contents are read by the build alone.
 * @param {string[]} paths
 */
async function keyOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of await filesOf(join(ROOT, path))) {
      if (/spec\.tsx?$|\.md$/.test(file)) continue;
      const { mtimeMs, size } = await stat(file);
      hash.update(`${relative(ROOT, file)}:${mtimeMs}:${size}\n`);
    }
  }
  return hash.digest('hex');
}

/**
 * @returns {Promise<string[]>} files below a folder, or the file itself, sorted
 * @param {string} path
 */
async function filesOf(path) {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const nested = entries
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
    .map((entry) => filesOf(join(path, entry.name)));
  return (await Promise.all(nested)).flat().sort();
}

/** @param {string} outDir */
function vite(outDir) {
  const args = [
    join(ROOT, 'node_modules/vite/bin/vite.js'),
    'build',
    '--logLevel',
    'warn',
    '--outDir',
    outDir,
  ];
  const child = spawn(process.execPath, args, {
    cwd: APP,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
  });
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  child.stderr.on('data', (part) => (output += part));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) =>
      code === 0 ? done(undefined) : failed(new Error(`the console could not be built:\n${output.trim()}`)),
    );
  });
}

/**
 * Lays the files over those of the build before. A running api has the old page in memory: what
 * that names stays until the build after the next.
 * @param {string} folder
 */
async function publish(folder) {
  const made = (await filesOf(folder)).map((file) => relative(folder, file));
  const before = (await filesOf(DIST).catch(() => [])).map((file) => relative(DIST, file));
  const kept = new Set(await readFile(join(DIST, '.vite/manifest.json'), 'utf8').then(filesNamed, () => []));
  // The page last: it names the others.
  for (const file of made.sort(
    (one, other) => Number(one === 'index.html') - Number(other === 'index.html'),
  )) {
    await copy(folder, file);
  }
  const now = new Set(made.flatMap((file) => [file, `${file}.gz`, `${file}.br`]));
  const gone = before.filter((file) => !now.has(file) && !kept.has(file.replace(/\.(gz|br)$/, '')));
  await Promise.all(gone.map((file) => rm(join(DIST, file), { force: true })));
}

/**
 * Every file of a build's manifest.
 * @param {any} manifest
 */
function filesNamed(manifest) {
  return Object.values(JSON.parse(manifest)).flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets,
  ]);
}

/** @param {string} folder @param {string} file */
async function copy(folder, file) {
  const content = await readFile(join(folder, file));
  await mkdir(dirname(join(DIST, file)), { recursive: true });
  if (file.startsWith('assets/') && COMPRESSED.test(file)) {
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    await writeWhole(join(DIST, `${file}.br`), await promisify(brotliCompress)(content, quality));
    await writeWhole(join(DIST, `${file}.gz`), await promisify(gzip)(content, { level: 9 }));
  }
  await writeWhole(join(DIST, file), content);
}

/**
 * Two builds may run concurrently, and an api may serve the old file, so files are replaced in one
 * step.
 * @param {string} path
 * @param {string | Buffer} content
 */
async function writeWhole(path, content) {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

/**
 * Compiles every project's TypeScript to `<project>/dist` with swc, and lays the SQL migrations
 * beside it; the console is built by Vite. Only what changed is compiled. `node tools/build.mjs
 * [<project folder> …]`; without arguments all projects.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const MANIFEST = '.build.json';
/** Made for browsers, by Vite. */
const CONSOLE = join(ROOT, 'apps/console');

/**
 * @param {string[]} [folders] project folders; default: all of apps/ and libs/
 * @returns {Promise<{ projects: number, compiled: number, milliseconds: number,
 * consoleMilliseconds: number | undefined }>}
 */
export async function build(folders) {
  const started = performance.now();
  const projects = folders?.length ? folders.map((folder) => resolve(ROOT, folder)) : await allProjects();
  const key = await compilerKey();
  const compiled = await Promise.all(
    projects.filter((project) => project !== CONSOLE).map((project) => buildProject(project, key)),
  );
  const milliseconds = Math.round(performance.now() - started);
  return {
    projects: projects.length,
    compiled: compiled.reduce((sum, count) => sum + count, 0),
    milliseconds,
    consoleMilliseconds: projects.includes(CONSOLE) ? await buildConsole() : undefined,
  };
}

async function allProjects() {
  const groups = ['libs', 'apps'].map(async (group) => {
    const entries = await readdir(join(ROOT, group), { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(ROOT, group, entry.name));
  });
  return (await Promise.all(groups)).flat();
}

/** A different compiler or other options recompile everything. */
async function compilerKey() {
  const files = ['.swcrc', 'node_modules/@swc/core/package.json', 'tools/build.mjs'];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(ROOT, file)));
  return hash.digest('hex');
}

/** @param {string} project @param {string} key */
async function buildProject(project, key) {
  const source = join(project, 'src');
  const dist = join(project, 'dist');
  const known = await readManifest(dist, key);
  /** @type {Record<string, string>} */
  const files = {};
  const changed = [];
  for (const file of await sourceFiles(source)) {
    const { mtimeMs, size } = await stat(join(source, file));
    files[file] = `${mtimeMs}:${size}`;
    if (known[file] !== files[file]) changed.push(file);
  }
  const gone = Object.keys(known).filter((file) => !(file in files));
  if (changed.length + gone.length === 0) return 0;

  await Promise.all(
    gone.flatMap((file) => outputs(file).map((output) => rm(join(dist, output), { force: true }))),
  );
  await Promise.all(changed.map((file) => buildFile(source, dist, file)));
  await writeWhole(join(dist, MANIFEST), JSON.stringify({ key, files }));
  return changed.length;
}

/** @param {string} dist @param {string} key */
async function readManifest(dist, key) {
  const text = await readFile(join(dist, MANIFEST), 'utf8').catch(() => undefined);
  const manifest = text && JSON.parse(text);
  if (manifest?.key === key) return manifest.files;
  await rm(dist, { recursive: true, force: true });
  return {};
}

/** @param {string} folder */
async function sourceFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /\.(ts|sql)$/.test(entry.name) && !/spec\.ts$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}

/** @param {string} file */
function outputs(file) {
  if (!file.endsWith('.ts')) return [file];
  const script = file.replace(/\.ts$/, '.js');
  return [script, `${script}.map`];
}

/** @param {string} source @param {string} dist @param {string} file */
async function buildFile(source, dist, file) {
  const [output, mapOutput] = outputs(file);
  await mkdir(dirname(join(dist, output)), { recursive: true });
  if (!mapOutput) return writeWhole(join(dist, output), await readFile(join(source, file)));
  const { code, map } = await compile(join(source, file));
  await writeWhole(join(dist, mapOutput), map ?? '{}');
  await writeWhole(join(dist, output), `${code}\n//# sourceMappingURL=${output.split('/').pop()}.map\n`);
}

/** @param {string} path */
async function compile(path) {
  const { transformFile } = await import('@swc/core');
  const { code, map } = await transformFile(path, {
    cwd: ROOT,
    root: ROOT,
    configFile: join(ROOT, '.swcrc'),
    sourceMaps: true,
  });
  return { code: code.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, ''), map };
}

/**
 * Two builds may run concurrently, and a process may load the old file, so files are replaced in
 * one step.
 * @param {string} path
 * @param {string | Buffer} content
 */
async function writeWhole(path, content) {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { projects, compiled, milliseconds, consoleMilliseconds } = await build(process.argv.slice(2));
    console.log(`built ${projects} projects: ${compiled} files compiled in ${milliseconds} ms`);
    if (consoleMilliseconds !== undefined) console.log(`built the console in ${consoleMilliseconds} ms`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

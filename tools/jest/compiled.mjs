/**
 * TypeScript sources compiled for tests, kept under `node_modules/.cache` by what they and the
 * compiler's options are.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { threadId } from 'node:worker_threads';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/tieline-tests');
const OPTIONS = ['.swcrc', 'node_modules/@swc/core/package.json', 'tools/jest/compiled.mjs']
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\0');

const place = (path, source) =>
  join(CACHE, createHash('sha256').update(`${OPTIONS}\0${path}\0${source}`).digest('hex').slice(0, 40));

/** @returns {Promise<string>} the JavaScript of a TypeScript file */
export async function compiled(path) {
  const source = readFileSync(path, 'utf8');
  const kept = place(path, source);
  try {
    return readFileSync(`${kept}.js`, 'utf8');
  } catch {
    const { transform } = await import('@swc/core');
    const { code, map } = await transform(source, {
      cwd: ROOT,
      root: ROOT,
      configFile: join(ROOT, '.swcrc'),
      filename: path,
      sourceMaps: true,
    });
    mkdirSync(CACHE, { recursive: true });
    writeWhole(`${kept}.map`, map ?? '{}');
    writeWhole(`${kept}.js`, code);
    return code;
  }
}

/** @returns {string | undefined} where the source map of a compiled file is */
export function mapOfCompiled(path) {
  if (!existsSync(path)) return undefined;
  const map = `${place(path, readFileSync(path, 'utf8'))}.map`;
  return existsSync(map) ? map : undefined;
}

/** Several runs may compile the same file concurrently. */
function writeWhole(path, content) {
  const unfinished = `${path}.${process.pid}.${threadId}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

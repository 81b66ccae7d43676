/**
 * Runs one program, `node run-program.mjs <name> <folder of its code>`. Loads its code while the
 * database is still starting, and runs it when a line with its settings arrives. Ends without that
 * line, because then its parent is gone.
 */
import { readFile } from 'node:fs/promises';
import module from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [name, code] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(code, file)).href);
// From Node.js 22 on.
/** @type {any} */ (module).enableCompileCache?.(join(code, '..', 'compiled'));

const settings = new Promise((settle) => {
  const lines = createInterface({ input: process.stdin });
  lines.once('line', (line) => {
    settle(JSON.parse(line));
    lines.close();
    process.stdin.destroy();
  });
  lines.once('close', () => settle(undefined));
});
await load(`${name}.module.mjs`);
const given = await settings;
if (!given) process.exit(1);
Object.assign(process.env, given);
await load(`${name}.mjs`);
const bundled = new Set(JSON.parse(await readFile(join(code, 'contents.json'), 'utf8')));
const twice = Object.keys(module.createRequire(import.meta.url).cache).filter((file) => bundled.has(file));
if (twice.length > 0) {
  console.error(`in the bundle, and loaded once more by name (see bundle.mjs): ${twice.join(', ')}`);
  process.exit(1);
}

/**
 * One of our programs, `node run-program.mjs <name>`: loads its code at once, while its database is still being started, and runs it as soon
 * as a line says with which settings. Without that line (whoever would write it is gone) it ends.
 */
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const dist = join(resolve(import.meta.dirname, '../..'), 'apps', process.argv[2], 'dist');
const load = (file) => import(pathToFileURL(join(dist, file)).href);

const settings = new Promise((settle) => {
  const lines = createInterface({ input: process.stdin });
  lines.once('line', (line) => {
    settle(JSON.parse(line));
    lines.close();
    process.stdin.destroy();
  });
  lines.once('close', () => settle(undefined));
});
await load(`${process.argv[2]}.module.js`);
const given = await settings;
if (!given) process.exit(1);
Object.assign(process.env, given);
await load('main.js');

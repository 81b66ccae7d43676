/**
 * `npm run typecheck`: the native TypeScript compiler over the whole repository, under a second.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
/** The server's programs, and the console: a page in a browser knows other names. */
const PROGRAMS = ['tsconfig.json', 'apps/console/tsconfig.json'];
const statuses = PROGRAMS.map(
  (program) => spawnSync(process.execPath, [compiler, '-p', program], { cwd: ROOT, stdio: 'inherit' }).status,
);
const status = statuses.every((one) => one === 0) ? 0 : 1;
console.log(status === 0 ? 'ok: types' : 'FAILED: types');
process.exit(status);

/**
 * `npm run typecheck`: the native TypeScript compiler over the whole repository.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
/**
 * The server's programs, the console, where a page in a browser knows other names, and the tools,
 * which are JavaScript with types in comments; those of `npm start` are checked more strictly.
 */
const PROGRAMS = [
  'tsconfig.json',
  'apps/console/tsconfig.json',
  'tools/tsconfig.json',
  'tools/start/tsconfig.json',
];
const statuses = PROGRAMS.map(
  (program) => spawnSync(process.execPath, [compiler, '-p', program], { cwd: ROOT, stdio: 'inherit' }).status,
);
const status = statuses.every((one) => one === 0) ? 0 : 1;
console.log(status === 0 ? 'ok: types' : 'FAILED: types');
process.exit(status);

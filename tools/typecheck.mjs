/** `npm run typecheck`: the native TypeScript compiler over the whole repository, under a second. */
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
console.log(status === 0 ? 'ok: types' : 'FAILED: types');
process.exit(status ?? 1);

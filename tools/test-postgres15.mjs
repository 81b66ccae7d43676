/**
 * `npm run test:postgres15`: what depends on the server's version, on the oldest that is supported:
 * all migrations, every statement, and tests of the paths that every message takes. `--all` takes
 * every test of the libs.
 */
import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from './build.mjs';
import { fetchPostgres } from './postgres/fetch.mjs';
import { startPostgres } from './postgres/server.mjs';
import { throwAwayFolder } from './postgres/throw-away.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const VERSION = '15.18.0-beta.17';

const CORE = [
  'libs/*/src/statements.int-spec.ts',
  'libs/platform/src/database/{*,schema/*}.int-spec.ts',
  'libs/partitions/src/**/*.int-spec.ts',
  'libs/queue/src/queue.int-spec.ts',
  'libs/delivery/src/outbox/outbox.int-spec.ts',
  'apps/e2e/src/first-delivery.int-spec.ts',
];
const ALL = ['libs/*/src/**/*.int-spec.ts', 'apps/e2e/src/first-delivery.int-spec.ts'];

await build();
const packageFolder = await fetchPostgres(VERSION, join(ROOT, 'node_modules/.cache/tieline'));
const dataDir = await throwAwayFolder();
await chmod(dataDir, 0o711); // this version's initdb needs a path that the server's user may walk
const server = await startPostgres({
  dataDir,
  durable: false,
  rights: 'testing',
  throwAway: true,
  packageFolder,
});
const { status } = test(process.argv.includes('--all') ? ALL : CORE);
await server.stop();
process.exit(status ?? 1);

function test(patterns) {
  const options = ['--config', 'jest.preset.js', '--rootDir', '.', '--roots', 'libs', 'apps'];
  const matches = patterns.map((pattern) => `<rootDir>/${pattern}`);
  return spawnSync(
    process.execPath,
    ['node_modules/jest/bin/jest.js', ...options, '--testMatch', ...matches],
    {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL: server.url, NX_DAEMON: 'false' },
      stdio: 'inherit',
    },
  );
}

/**
 * `npm test`: runs every test of every project in one Jest run, on a temporary PostgreSQL server or
 * DATABASE_URL, and on Redis if REDIS_URL is set. The last line is `N passed, N failed`.
 *
 *   npm test -- --quick                  without browsers and whole programs
 *   npm test -- --projects=bots,e2e      these projects, by folder
 *   npm test -- --exclude=tools,cli      all projects but these
 *   npm test -- outbox                   files whose path matches
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, requireNode } from './start/install.mjs';
import { onStopRequest } from './start/stop-request.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const TEST_FILES = [
  '<rootDir>/{apps,libs}/*/src/**/*.{spec,int-spec}.ts',
  '<rootDir>/tools/tests/**/*.spec.mjs',
];
/** Projects that start browsers and whole programs. */
const SLOW = ['e2e', 'tools'];
/**
 * One more than cores, because most files wait for something half of their time. Each needs about
 * three of Redis's 15 databases.
 */
const WORKERS = Math.min(5, availableParallelism() + 1);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    projects: { type: 'string', multiple: true, default: [] },
    exclude: { type: 'string', multiple: true, default: [] },
  },
});
const stop = onStopRequest({
  first: () => console.log('\nstopping the tests'),
  again: () => process.exit(130),
});

/** @returns {string[]} the folders of the projects to test */
function projectFolders() {
  const all = ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
  );
  const named = (names) => names.flatMap((list) => list.split(','));
  const matches = (folder, names) => names.some((name) => folder === name || folder.endsWith(`/${name}`));
  const chosen = named(values.projects);
  const left = [...named(values.exclude), ...(values.quick ? SLOW : [])];
  return [...all, 'tools']
    .filter((folder) => existsSync(join(ROOT, folder, folder === 'tools' ? 'tests' : 'src')))
    .filter((folder) => (chosen.length === 0 || matches(folder, chosen)) && !matches(folder, left));
}

/**
 * @param {string[]} roots folders of test files
 * @returns {Promise<number | null>} Jest's exit code
 */
function jest(roots) {
  const args = [
    ...['--config', 'jest.preset.js', '--rootDir', ROOT, '--roots', ...roots, '--testMatch', ...TEST_FILES],
    ...['--reporters', join(ROOT, 'tools/jest/run-reporter.mjs')],
    `--maxWorkers=${WORKERS}`,
    ...['--', ...positionals],
  ];
  return new Promise((settle, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    // Jest, its workers and whatever the tests started are one process group.
    const end = () => child.pid && process.kill(-child.pid, 'SIGTERM');
    stop.signal.addEventListener('abort', end);
    child.once('error', reject);
    child.once('close', (code) => {
      stop.signal.removeEventListener('abort', end);
      settle(code);
    });
  });
}

try {
  requireNode();
  const roots = projectFolders();
  if (roots.length === 0) throw new Error('no project is left to test');
  await ensureInstalled(ROOT, console.log, stop.signal);
  stop.signal.throwIfAborted();
  console.log(`testing on PostgreSQL${process.env.REDIS_URL ? ' and Redis' : ' alone'}`);
  process.exitCode = (await jest(roots)) ?? 1;
} catch (error) {
  if (!stop.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
if (stop.signal.aborted) process.exitCode = 130;

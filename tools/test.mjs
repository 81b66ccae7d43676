/**
 * `npm test`: runs every test of every project through Nx, on one temporary PostgreSQL server (or
 * DATABASE_URL), and on Redis if REDIS_URL is set. Arguments go to `nx run-many`, for example `npm
 * test -- --projects=bots`. Repeats failures at the end. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, requireNode } from './start/install.mjs';
import { onStopRequest } from './start/stop-request.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const undo = [];
const stop = onStopRequest({
  first: () => console.log('\nstopping the tests'),
  again: () => process.exit(130),
});

async function run() {
  requireNode();
  await ensureInstalled(ROOT, console.log, stop.signal);
  const { build } = await import('./build.mjs');
  const { compiled, milliseconds } = await build();
  console.log(`built ${compiled} changed files in ${milliseconds} ms`);
  stop.signal.throwIfAborted();

  const results = await scratchFolder('results');
  const databaseUrl = process.env.DATABASE_URL?.trim() || (await startDatabase());
  console.log(`testing on PostgreSQL${process.env.REDIS_URL ? ' and Redis' : ' alone'}`);
  const code = await nx({
    DATABASE_URL: databaseUrl,
    TIELINE_TEST_RESULTS: results,
    NODE_COMPILE_CACHE: await scratchFolder('compiled'), // from Node 22 on: scripts are compiled once, not by every process
  });
  const failed = await printTotals(results);
  if (code !== 0 && failed === 0) console.log(`no test failed, but nx ended with ${code}: see above`);
  return code === 0 && failed === 0 ? 0 : 1;
}

async function scratchFolder(name) {
  const folder = await mkdtemp(join(tmpdir(), `tieline-${name}-`));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startDatabase() {
  const { startPostgres } = await import('./postgres/server.mjs');
  const server = await startPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'tieline-test-')),
    durable: false,
    rights: 'testing',
    throwAway: true,
  });
  undo.push(() => server.stop());
  stop.signal.throwIfAborted();
  return server.url;
}

/**
 * Two projects at a time, but for those that say `parallelism: false`: they start whole programs
 * and measure time.
 */
function nx(env) {
  const args = [
    'run-many',
    '-t',
    'test',
    '--exclude=tieline',
    '--parallel=2',
    '--output-style=stream',
    ...process.argv.slice(2),
  ];
  return new Promise((settle, reject) => {
    const child = spawn(join(ROOT, 'node_modules/.bin/nx'), args, {
      cwd: ROOT,
      env: {
        ...ownEnvironment(),
        NX_DAEMON: 'false',
        NX_TUI: 'false',
        FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    // Nx, Jest and whatever the tests started are one process group.
    const end = () => process.kill(-child.pid, 'SIGTERM');
    stop.signal.addEventListener('abort', end);
    child.once('error', reject);
    child.once('close', (code) => {
      stop.signal.removeEventListener('abort', end);
      settle(code);
    });
  });
}

/** Started by `nx test` itself, the outer run's notes must not confuse the inner one. */
function ownEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NX_')));
}

async function printTotals(folder) {
  const files = await readdir(folder);
  const totals = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))),
  );
  const sum = (key) => totals.reduce((count, result) => count + result[key], 0);
  console.log();
  for (const { project, passed, failed } of totals.sort((a, b) => a.project.localeCompare(b.project))) {
    console.log(
      `  ${project.padEnd(20)} ${String(passed).padStart(5)} passed ${String(failed).padStart(5)} failed`,
    );
  }
  for (const { project, failures } of totals) {
    for (const { file, test, message } of failures) {
      console.log(`\nFAILED ${project}, ${file}: ${test}`);
      for (const line of message) console.log(`    ${line}`);
    }
  }
  console.log();
  if (sum('skipped') > 0) console.log(`  ${sum('skipped')} skipped`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed');
}

let code = 1;
try {
  code = await run();
} catch (error) {
  if (stop.signal.aborted) code = 130;
  else console.error(error instanceof Error ? error.message : error);
}
for (const step of undo.reverse()) await step().catch((error) => console.error(error));
process.exit(code);

/**
 * `npm run shake`: runs integration tests again and again, beside busy loops and under query plans that PostgreSQL would not choose by
 * itself, and says which failed even once. What a failing run printed is kept. With REDIS_URL set the tests run on it.
 *
 *   npm run shake                          every project, 30 times
 *   npm run shake -- delivery queue        these projects
 *   npm run shake -- --times 5 --load 0    fewer rounds, on an idle machine
 *   npm run shake -- --only outage         files whose path matches
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { build } from './build.mjs';
import { startPostgres } from './postgres/server.mjs';
import { onStopRequest } from './start/stop-request.mjs';

const ROOT = resolve(import.meta.dirname, '..');
/** Settings of the role that tests connect as, in turns. Tests that look at plans themselves see the first only. */
const PLANS = [
  {},
  { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_material: 'off' },
  { enable_indexscan: 'off', enable_indexonlyscan: 'off', enable_bitmapscan: 'off' },
  { enable_seqscan: 'off', enable_nestloop: 'off', random_page_cost: '0.1' },
  { plan_cache_mode: 'force_generic_plan', enable_sort: 'off' },
];
const LOOKS_AT_PLANS = 'plans\\.int-spec';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '30' },
    load: { type: 'string', default: '3' },
    only: { type: 'string', default: 'int-spec' },
  },
});
const undo = [];
const stop = onStopRequest({
  first: () => console.log('\nstopping'),
  again: () => process.exit(130),
});

/** Folders with integration tests, cheapest to find out about first. */
function projects() {
  const folders = ['libs', 'apps'].flatMap((kind) =>
    readdirSync(join(ROOT, kind)).map((name) => join(kind, name)),
  );
  return folders
    .filter((folder) => existsSync(join(ROOT, folder, 'src')))
    .filter((folder) => positionals.length === 0 || positionals.includes(folder.split('/')[1]));
}

async function server() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const started = await startPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'tieline-shake-')),
    durable: false,
    throwAway: true,
  });
  undo.push(() => started.stop());
  return started.url;
}

/** What sessions that are opened from now on plan with. */
async function plan(url, settings) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('ALTER ROLE CURRENT_USER RESET ALL');
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`ALTER ROLE CURRENT_USER SET ${name} = ${pg.escapeLiteral(value)}`);
    }
  } finally {
    await client.end();
  }
}

function keepBusy(loops) {
  for (let n = 0; n < loops; n += 1) {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    undo.push(() => child.kill('SIGKILL'));
  }
}

/** One run of a project's tests. Resolves with the names of those that failed. */
async function runTests({ project, url, results, ignored }) {
  const report = join(results, 'report.json');
  await rm(report, { force: true });
  const args = [
    'node_modules/jest/bin/jest.js',
    ...['--config', 'jest.preset.js', '--rootDir', project, '--passWithNoTests', '--forceExit'],
    ...['--json', '--outputFile', report],
    ...(ignored ? ['--testPathIgnorePatterns', ignored] : []),
    values.only,
  ];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => child.kill('SIGTERM');
  stop.signal.addEventListener('abort', end);
  let printed = '';
  child.stderr.on('data', (part) => (printed += part));
  await new Promise((ended) => child.once('close', ended));
  stop.signal.removeEventListener('abort', end);
  const { testResults } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  if (testResults === undefined) return { failed: [`${project}: the run itself`], printed };
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(ROOT, name);
    const names = assertionResults
      .filter((one) => one.status === 'failed')
      .map((one) => `${file}: ${one.fullName}`);
    return names.length > 0 || status === 'passed' ? names : [`${file}: the file itself`];
  });
  return { failed, printed };
}

async function shake() {
  await build();
  const url = await server();
  undo.push(() => plan(url, {}));
  const results = await mkdtemp(join(tmpdir(), 'tieline-shaken-'));
  keepBusy(Number(values.load));
  const failures = new Map();
  for (let round = 0; round < Number(values.times); round += 1) {
    const settings = PLANS[round % PLANS.length];
    await plan(url, settings);
    for (const project of projects()) {
      if (stop.signal.aborted) return failures;
      const ignored = round % PLANS.length === 0 ? undefined : LOOKS_AT_PLANS;
      const { failed, printed } = await runTests({ project, url, results, ignored });
      if (stop.signal.aborted) return failures;
      console.log(
        `${round + 1}/${values.times} ${project}: ${failed.length === 0 ? 'ok' : `${failed.length} failed`}`,
      );
      if (failed.length === 0) continue;
      const kept = join(results, `${project.replace('/', '-')}-${round + 1}.log`);
      await writeFile(kept, `${JSON.stringify(settings)}\n${printed}`);
      for (const name of failed) failures.set(name, [...(failures.get(name) ?? []), kept]);
    }
  }
  return failures;
}

async function shakeTests() {
  const failures = await shake();
  for (const [name, logs] of failures)
    console.log(`\n${name}\n  failed ${logs.length} times: ${logs.join(' ')}`);
  console.log(failures.size === 0 ? '\nnothing failed' : `\n${failures.size} tests failed at least once`);
  return failures.size === 0 && !stop.signal.aborted;
}

let code = 1;
try {
  code = (await shakeTests()) ? 0 : 1;
} catch (error) {
  console.error(error);
}
for (const step of undo.reverse()) await Promise.resolve(step()).catch((error) => console.error(error));
process.exit(code);

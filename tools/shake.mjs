/**
 * `npm run shake`: runs integration tests repeatedly on a busy machine, under query plans that
 * PostgreSQL would not choose by itself, and reports every test that failed even once. Keeps the
 * output of failed runs. Five projects run concurrently, each on its own server, so that each is
 * the load of the others. Tests that start whole programs run on two of these servers. With
 * DATABASE_URL they run on that server, one at a time next to three busy loops. With REDIS_URL
 * every second round uses it.
 *
 *   npm run shake                                every project, 30 times
 *   npm run shake -- delivery queue              these projects
 *   npm run shake -- --times 5 --at-once 1       fewer rounds, on an idle machine
 *   npm run shake -- --at-once 1 --load 3        beside three busy loops
 *   npm run shake -- --only outage               files whose path matches
 *   npm run shake -- --tally /var/tmp/shaken     records progress there and resumes an aborted run
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { stopwatch } from './elapsed.mjs';
import { startPostgres } from './postgres/server.mjs';
import { PLANS, planWith, runsIn } from './shake/plans.mjs';
import { runTests } from './shake/run-tests.mjs';
import { Tally } from './shake/tally.mjs';
import { OF_PROGRAMS, partsOf } from './shake/test-files.mjs';
import { onStopRequest } from './start/stop-request.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const given = process.env.DATABASE_URL;
/**
 * On a machine with ten times as much to do as usual a second says nothing; five tell a wait from a
 * hang.
 */
const SLACK_MS = '4000';
/** More concurrent programs than this would spend their time starting. */
const SERVERS_OF_PROGRAMS = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '30' },
    'at-once': { type: 'string', default: given ? '1' : '5' },
    load: { type: 'string', default: given ? '3' : '0' },
    only: { type: 'string', default: '' },
    tally: { type: 'string' },
  },
});
const elapsed = stopwatch();
let left = 0;
const undo = [];
const stop = onStopRequest({
  first: () => console.log('\nstopping'),
  again: () => process.exit(130),
});

/**
 * The servers that runs take turns on, one run at a time on each: what plans are made with belongs
 * to a server's role.
 */
async function servers(count) {
  if (given && count > 1) throw new Error('one DATABASE_URL serves one run at a time: no --at-once with it');
  const urls = given ? [given] : [];
  while (urls.length < count) {
    const started = await startPostgres({
      dataDir: await mkdtemp(join(tmpdir(), 'tieline-shake-')),
      durable: false,
      rights: 'testing',
      throwAway: true,
    });
    undo.push(() => started.stop());
    urls.push(started.url);
  }
  for (const url of urls) undo.push(() => planWith(url, {}));
  return urls;
}

function keepBusy(loops) {
  for (let n = 0; n < loops; n += 1) {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    undo.push(() => child.kill('SIGKILL'));
  }
}

function environment(round, url, compiled) {
  const { REDIS_URL, ...env } = process.env;
  const onRedis = REDIS_URL && round % 2 === 1;
  return {
    ...env,
    DATABASE_URL: url,
    NODE_COMPILE_CACHE: compiled,
    TIELINE_SLACK_MS: SLACK_MS,
    ...(onRedis && { REDIS_URL }),
  };
}

/** Does what is left of the runs on one server. */
async function shakeOn(url, { next, tally, folder, compiled }) {
  for (let run = next(); run && !stop.signal.aborted; run = next()) {
    const { round, part, project, files } = run;
    const settings = PLANS[round % PLANS.length];
    await planWith(url, settings);
    const path = join(folder, `${part.replaceAll('/', '-')}-${round + 1}`);
    const { failed, printed } = await runTests({
      root: ROOT,
      project,
      files,
      env: environment(round, url, compiled),
      report: `${path}.json`,
      signal: stop.signal,
    });
    if (stop.signal.aborted) return;
    const log = failed.length > 0 ? `${path}.log` : undefined;
    if (log) await writeFile(log, `${JSON.stringify(settings)}\n${printed}`);
    await tally.add({ round, part, files: files.length, failed, log });
    left -= 1;
    const outcome = failed.length === 0 ? 'ok' : `${failed.length} failed`;
    console.log(`${elapsed()}  ${round + 1}/${values.times} ${part}: ${outcome}, ${left} runs left`);
  }
}

/** The remaining runs, round by round. */
function runsLeft(tally) {
  const parts = partsOf(ROOT, positionals, new RegExp(values.only));
  const rounds = Array.from({ length: Number(values.times) }, (_, round) => round);
  return rounds
    .flatMap((round) => parts.map(({ name, project, files }) => ({ round, part: name, project, files })))
    .filter(({ round, part }) => !tally.has(round, part))
    .map((run) => ({
      ...run,
      files: run.files.filter((file) => runsIn(run.round, readFileSync(join(ROOT, file), 'utf8'))),
    }))
    .filter(({ files }) => files.length > 0);
}

async function shake() {
  await build();
  const folder = values.tally ?? (await mkdtemp(join(tmpdir(), 'tieline-shaken-')));
  const tally = await Tally.open(folder);
  const runs = runsLeft(tally);
  if (runs.length === 0 && tally.runs.length === 0) throw new Error('no integration test matches');
  left = runs.length;
  console.log(`${left} runs; what a failing one prints is kept in ${folder}`);
  const urls = await servers(Number(values['at-once']));
  keepBusy(Number(values.load));
  const compiled = await mkdtemp(join(tmpdir(), 'tieline-compiled-'));
  undo.push(() => rm(compiled, { recursive: true, force: true }));
  const next = (server) => {
    const place = runs.findIndex(({ project }) => server < SERVERS_OF_PROGRAMS || project !== OF_PROGRAMS);
    return place < 0 ? undefined : runs.splice(place, 1)[0];
  };
  await Promise.all(
    urls.map((url, server) => shakeOn(url, { next: () => next(server), tally, folder, compiled })),
  );
  return tally.failures();
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

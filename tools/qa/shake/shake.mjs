/**
 * `npm run shake`: runs integration tests repeatedly on a busy machine, under query plans that
 * PostgreSQL would not choose by itself, and reports every test that failed even once. Keeps the
 * output of failed runs. Five projects run concurrently, each on a separate server, so that each is
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
import { startPostgres } from '../../postgres/server.mjs';
import { throwAwayFolder } from '../../postgres/throw-away.mjs';
import { PLANS, planWith, runsIn } from './plans.mjs';
import { runTests } from './run-tests.mjs';
import { Tally } from './tally.mjs';
import { OF_PROGRAMS, partsOf } from './test-files.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const given = process.env.DATABASE_URL;
/**
 * On a machine with ten times as much to do as usual a second says nothing; five tell a wait from a
 * hang.
 */
const SLACK_MS = '4000';
/** More concurrent programs than this would spend their time starting. */
const SERVERS_OF_PROGRAMS = 2;

export const PROMISE = 'nothing failed';

/**
 * The servers that runs take turns on, one run at a time on each: what plans are made with belongs
 * to a server's role.
 */
async function servers(count, later) {
  if (given && count > 1) throw new Error('one DATABASE_URL serves one run at a time: no --at-once with it');
  const urls = given ? [given] : [];
  while (urls.length < count) {
    const started = await startPostgres({
      dataDir: await throwAwayFolder(),
      durable: false,
      rights: 'testing',
      throwAway: true,
    });
    later(() => started.stop());
    urls.push(started.url);
  }
  for (const url of urls) later(() => planWith(url, {}));
  return urls;
}

function keepBusy(loops, later) {
  for (let n = 0; n < loops; n += 1) {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    later(() => child.kill('SIGKILL'));
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
async function shakeOn(url, { next, tally, folder, compiled, stop, report }) {
  for (let run = next(); run && !stop.aborted; run = next()) {
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
      signal: stop,
    });
    if (stop.aborted) return;
    const log = failed.length > 0 ? `${path}.log` : undefined;
    if (log) await writeFile(log, `${JSON.stringify(settings)}\n${printed}`);
    await tally.add({ round, part, files: files.length, failed, log });
    report(round, part, failed);
  }
}

/** The remaining runs, round by round. */
function runsLeft(tally, { times, only, projects }) {
  const parts = partsOf(ROOT, projects, new RegExp(only));
  const rounds = Array.from({ length: times }, (_, round) => round);
  return rounds
    .flatMap((round) => parts.map(({ name, project, files }) => ({ round, part: name, project, files })))
    .filter(({ round, part }) => !tally.has(round, part))
    .map((run) => ({
      ...run,
      files: run.files.filter((file) => runsIn(run.round, readFileSync(join(ROOT, file), 'utf8'))),
    }))
    .filter(({ files }) => files.length > 0);
}

/** @param {import('../run.mjs').Session} session */
export async function run({ args, stop, say, later }) {
  const { values, positionals: projects } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      times: { type: 'string', default: '30' },
      'at-once': { type: 'string', default: given ? '1' : '5' },
      load: { type: 'string', default: given ? '3' : '0' },
      only: { type: 'string', default: '' },
      tally: { type: 'string' },
    },
  });
  const times = Number(values.times);
  const folder = values.tally ?? (await mkdtemp(join(tmpdir(), 'tieline-shaken-')));
  const tally = await Tally.open(folder);
  const runs = runsLeft(tally, { times, only: values.only, projects });
  if (runs.length === 0 && tally.runs.length === 0) throw new Error('no integration test matches');
  let left = runs.length;
  say(`${left} runs; what a failing one prints is kept in ${folder}`);
  const report = (round, part, failed) => {
    left -= 1;
    const outcome = failed.length === 0 ? 'ok' : `${failed.length} failed`;
    say(`${round + 1}/${times} ${part}: ${outcome}, ${left} runs left`);
  };
  const urls = await servers(Number(values['at-once']), later);
  keepBusy(Number(values.load), later);
  const compiled = await mkdtemp(join(tmpdir(), 'tieline-compiled-'));
  later(() => rm(compiled, { recursive: true, force: true }));
  const next = (server) => {
    const place = runs.findIndex(({ project }) => server < SERVERS_OF_PROGRAMS || project !== OF_PROGRAMS);
    return place < 0 ? undefined : runs.splice(place, 1)[0];
  };
  await Promise.all(
    urls.map((url, server) =>
      shakeOn(url, { next: () => next(server), tally, folder, compiled, stop, report }),
    ),
  );
  return [...tally.failures()].map(
    ([name, logs]) => `${name}\n  failed ${logs.length} times: ${logs.join(' ')}`,
  );
}

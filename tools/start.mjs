/**
 * `npm start`: from a fresh clone to a running Tieline. Installs dependencies, builds, runs
 * PostgreSQL under DATA_DIR (unless DATABASE_URL is set), migrates, and keeps api and worker
 * running until it is stopped. Only Node's own modules may be loaded until the dependencies are
 * installed.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addresses, appEnvironment, dataDirOf, isEmbedded, SECRET_FILES } from './start/environment.mjs';
import { firstLink } from './start/first-link.mjs';
import { welcome } from './start/first-message.mjs';
import { ensureInstalled, requireNode } from './start/install.mjs';
import { lockDataDir, reclaimChildren, recordChildren } from './start/lock.mjs';
import { printable } from './start/printable.mjs';
import { requirePort } from './start/ports.mjs';
import { Program } from './start/program.mjs';
import { runStep } from './start/run-step.mjs';
import { onStopRequest } from './start/stop-request.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const started = performance.now();

/** @param {string} line */
function say(line) {
  console.log(printable(line));
}

/** What to undo at the end, in reverse order. @type {(() => Promise<unknown>)[]} */
const undo = [];
/** What to end without ado when the user insists. @type {(() => void)[]} */
const killers = [];

const stop = onStopRequest({
  first: () => say('\nstopping: api and worker finish what is in flight (once more to force it)'),
  again: () => {
    for (const kill of killers) kill();
    process.exit(130);
  },
});

async function run() {
  requireNode();
  const dataDir = dataDirOf(process.env, ROOT);
  if (!(await stat(dataDir).catch(() => undefined))) await requirePorts(process.env);
  await mkdir(join(dataDir, 'log'), { recursive: true });
  undo.push(await lockDataDir(dataDir));
  if ((await reclaimChildren(dataDir)) > 0) say('ended what an earlier start had left running');
  await requirePorts(process.env);

  await ensureInstalled(ROOT, say, stop.signal);
  // Only with a database of our own its address is not known yet.
  const expected = process.env.DATABASE_URL?.trim() || 'postgres://127.0.0.1/tieline';
  await runStep({
    script: join(ROOT, 'tools/start/prepare.mjs'),
    cwd: ROOT,
    env: await appEnvironment({ given: process.env, dataDir, databaseUrl: expected }),
    say,
    signal: stop.signal,
  });
  stop.signal.throwIfAborted();
  const databaseUrl = isEmbedded(process.env) ? await startDatabase(dataDir) : expected;
  const env = await appEnvironment({ given: process.env, dataDir, databaseUrl });
  await runStep({
    script: join(ROOT, 'apps/api/dist/migrate.js'),
    cwd: ROOT,
    env,
    say: (line) => say(`  ${line}`),
    signal: stop.signal,
    failed: 'the database could not be migrated:',
  });
  await startPrograms(env, dataDir);

  const { api, operator, public: publicUrl } = addresses(env);
  const link = await linkFor({ api, operator, operatorToken: env.OPERATOR_TOKEN?.trim() });
  const tokenFile =
    process.env.OPERATOR_TOKEN?.trim() || !env.OPERATOR_TOKEN
      ? undefined
      : join(dataDir, SECRET_FILES.OPERATOR_TOKEN);
  const linkFile = link && process.env.INVOCATION_ID ? join(dataDir, 'first-link') : undefined;
  // Output of a service goes to the journal, which others may read.
  if (linkFile) await writeFile(linkFile, `${link}\n`, { mode: 0o600 });
  say(welcome({ api, publicUrl, link, linkFile, tokenFile, logDir: join(dataDir, 'log') }));
  say(`ready in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  await stop.requested;
}

/**
 * Continues without it: the operator can create spaces later.
 * @param {any} options
 */
async function linkFor(options) {
  if (!options.operatorToken) return undefined;
  return firstLink(options).catch((error) => void say(error.message));
}

/** @param {string} dataDir */
async function startDatabase(dataDir) {
  const { startPostgres } = await import('./postgres/server.mjs');
  const server = await startPostgres({ dataDir });
  undo.push(() => server.stop());
  killers.push(() => server.kill());
  if (server.reclaimed) say('stopped the database server of an earlier start');
  say(`${server.created ? 'made a database' : 'the database runs'} in ${join(dataDir, 'postgres')}`);
  server.exited.then(() => stop.because('the database server has ended, see log/postgres.log'));
  stop.signal.throwIfAborted();
  return server.localUrl;
}

/**
 * Checks ports first, so that users do not wait for an installation to learn that a port is taken.
 * @param {NodeJS.ProcessEnv} env
 */
async function requirePorts(env) {
  const { api, worker } = addresses(env);
  await requirePort(api, 'PORT');
  await requirePort(worker, 'WORKER_PORT');
}

/** @param {NodeJS.ProcessEnv} env @param {string} dataDir */
async function startPrograms(env, dataDir) {
  const urls = addresses(env);
  const programs = /** @type {const} */ (['api', 'worker']).map(
    (name) =>
      new Program({
        name,
        url: urls[name],
        // Nothing but the api lets an operator in.
        env: name === 'api' ? env : { ...env, OPERATOR_TOKEN: undefined },
        say,
        script: join(ROOT, 'apps', name, 'dist/main.js'),
        cwd: ROOT,
        logFile: join(dataDir, 'log', `${name}.log`),
        onSpawn: () =>
          recordChildren(
            dataDir,
            programs.flatMap(({ pid }) => pid ?? []),
          ),
      }),
  );
  undo.push(() =>
    Promise.all(programs.map((program) => program.stop())).then(() => recordChildren(dataDir, [])),
  );
  killers.push(...programs.map((program) => () => program.kill()));
  for (const program of programs) program.start();
  await Promise.all(programs.map((program) => program.ready(stop.signal)));
}

let failure;
try {
  await run();
} catch (error) {
  if (!stop.signal.aborted) failure = error;
}
for (const step of undo.reverse()) {
  await step().catch((error) => (failure ??= error));
}
failure ??= stop.failure;
if (failure) console.error(printable(`\n${failure instanceof Error ? failure.message : failure}`));
else say('stopped');
process.exit(failure ? 1 : 0);

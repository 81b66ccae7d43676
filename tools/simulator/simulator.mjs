/**
 * A temporary Tieline for experiments and tests: the real api and worker as processes on a
 * disposable PostgreSQL. It ends together with the process that started it, however that ends, and
 * leaves nothing behind.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { build } from '../build.mjs';
import { freePort } from '../free-port.mjs';
import { tieToThisProcess } from '../lifeline.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { ensureBundle } from './bundle.mjs';
import { startProgram } from './programs.mjs';
import { copyTemplate, ensureTemplate, settingsOf } from './template.mjs';
import { advance, durationOf } from './time.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * @typedef {object} Simulator
 * @property {string} url of the api
 * @property {string} workerUrl its health and metrics
 * @property {string} operatorToken
 * @property {string} secretKey what stored secrets are encrypted with
 * @property {import('./world.mjs').World} world
 * @property {string} databaseUrl for looking behind the scenes
 * @property {string} folder with its data and the logs of its processes; gone after the end
 * @property {number} readyInMs how long the start took
 * @property {number[]} pids of its processes
 * @property {(duration: string | number) => Promise<void>} advance moves all due times forward:
 * `'1h'`, or milliseconds
 * @property {(name: 'api' | 'worker', signal?: NodeJS.Signals) => Promise<void>} restart stops one
 * (default: SIGTERM; SIGKILL immediately) and starts it again at the same port
 * @property {() => Promise<string>} log what api and worker wrote
 * @property {(pid: number) => () => void} tie has another process end with us; call what it returns
 * when that has ended by itself
 * @property {string} pythonPath of the package `tieline`
 * @property {() => Promise<void>} stop
 */

/**
 * @param {object} [options]
 * @param {number} [options.port] of the api; default: a free one
 * @param {NodeJS.ProcessEnv} [options.env] settings (docs/configure.md) over the simulator's own
 * @param {(line: string) => void} [options.say] what takes longer than a moment
 * @returns {Promise<Simulator>}
 */
export async function startSimulator({ port, env: given = {}, say = () => undefined } = {}) {
  const started = performance.now();
  const code = await buildProduct();
  const template = await ensureTemplate(code, say);
  const folder = await mkdtemp(join(tmpdir(), 'tieline-simulator-'));
  const dataDir = join(folder, 'data');
  /** In reverse order; the folder goes last. */
  const undo = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const apiPort = port ?? (await freePort());
    // The programs load their code while their database starts.
    const prepared = prepareDatabase({ template, dataDir, folder, undo });
    const env = prepared.then(({ secrets, server }) => ({
      ...settingsOf(secrets, { databaseUrl: server.url, dataDir }),
      PUBLIC_URL: `http://127.0.0.1:${apiPort}`,
      ...given,
    }));
    const programs = await startPrograms({ env, code, folder, apiPort, undo });
    const { world, secrets, server } = await prepared;
    const database = new pg.Pool({ connectionString: server.url, max: 2 });
    database.on('error', () => undefined);
    undo.push(() => database.end());
    const { api, worker } = programs;
    return {
      url: api.url,
      workerUrl: worker.url,
      operatorToken: secrets.operatorToken,
      secretKey: secrets.secretKey,
      world,
      databaseUrl: server.url,
      folder,
      readyInMs: Math.round(performance.now() - started),
      get pids() {
        return [server.pid, programs.api.pid, programs.worker.pid];
      },
      advance: (duration) => advance(database, durationOf(duration)),
      restart: (name, signal) => restart(programs, name, { signal, env, code, folder }),
      log: async () => `${await programs.api.log()}${await programs.worker.log()}`,
      tie: (pid) => tieToThisProcess(pid, { graceSeconds: 2 }).release,
      pythonPath: join(ROOT, 'sdk', 'python'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Builds the inputs of api and worker. The console is served if it has been built. */
async function buildProduct() {
  const libs = (await readdir(join(ROOT, 'libs'))).sort();
  await build([...libs.map((lib) => join('libs', lib)), 'apps/api', 'apps/worker']);
  return ensureBundle(ROOT, libs);
}

async function prepareDatabase({ template, dataDir, folder, undo }) {
  const { world, ...secrets } = await copyTemplate(template, dataDir);
  const server = await startPostgres({ dataDir, durable: false, throwAway: folder });
  undo.unshift(() => server.stop());
  return { world, secrets, server };
}

async function startPrograms({ env, code, folder, apiPort, undo }) {
  const programs = {};
  undo.push(() => Promise.all(Object.values(programs).map((program) => program.stop())));
  const start = async (name, port) => {
    programs[name] = await startProgram({ name, code, folder, env, port });
  };
  const results = await Promise.allSettled([start('api', apiPort), start('worker')]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return programs;
}

async function restart(programs, name, { signal = 'SIGTERM', env, code, folder }) {
  const { port, exited, ...old } = programs[name];
  if (signal === 'SIGKILL') old.kill();
  else await old.stop();
  await exited;
  programs[name] = await startProgram({ name, code, folder, env, port });
}

/** The product under test: its own PostgreSQL and Redis, the built api and worker as processes. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { NODE_FLAGS } from '../start/node-flags.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
export const OPERATOR = 'operator-token-of-the-bench-0123456789';
const SECRET_KEY = Buffer.alloc(32, 3).toString('base64');
const RATES = {
  RATE_BOT_MESSAGES_PER_SECOND: '1000000',
  RATE_BOT_WRITES_PER_SECOND: '1000000',
  RATE_USER_WRITES_PER_SECOND: '1000000',
};

/**
 * Starts a node script; resolves with its process once it has printed a JSON line, which is
 * answered as `info`.
 */
export async function startScript(script, args, env) {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const info = await new Promise((done, failed) => {
    child.stdout.on('data', (part) => {
      text += part;
      const line = text
        .split('\n')
        .find((one) => one.startsWith('{"port"') || one.startsWith('{"perSecond"'));
      if (line) done(JSON.parse(line));
    });
    child.once('exit', (code) => failed(new Error(`${script} ended with ${code}`)));
  });
  return { child, info, stop: () => stopProcess(child) };
}

async function stopProcess(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await ended;
}

/** Whether `redis-server` is on the PATH. */
export const hasRedis = () => spawnSync('redis-server', ['--version']).status === 0;

/**
 * Starts a Redis server if `redis-server` is on the PATH.
 *
 * @returns {Promise<import('@tieline/testing').RedisServer | undefined>}
 */
export async function startRedis() {
  if (!hasRedis()) return undefined;
  // Not before the build, which may have to write it first.
  const { RedisServer } = await import('@tieline/testing');
  return RedisServer.start();
}

/** Makes the tables. */
export function migrateAt(databaseUrl) {
  runAt(databaseUrl, 'migrate.js');
}

/** Indexes all messages of a database for search. */
export function rebuildSearchAt(databaseUrl) {
  runAt(databaseUrl, 'rebuild-search.js');
}

function runAt(databaseUrl, script) {
  const ended = spawnSync(process.execPath, [join(ROOT, 'apps/api/dist', script)], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, SECRET_KEY },
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (ended.status !== 0) throw new Error(ended.stderr);
}

/** @typedef {{ url: string, stop: () => Promise<unknown> }} Database */

export class Product {
  /** @type {(() => Promise<unknown>)[]} */
  #stops = [];

  /**
   * @param {{ redisUrl?: string, postgres?: Database }} [servers]
   * default: a new PostgreSQL, no Redis
   */
  static async create({ redisUrl, postgres } = {}) {
    const dataDir = await mkdtemp(join(tmpdir(), 'tieline-bench-'));
    const server = postgres ?? (await startPostgres({ dataDir, rights: 'testing' }));
    if (!postgres) migrateAt(server.url);
    return new Product(dataDir, server, redisUrl);
  }

  /** @param {string} dataDir @param {Database} postgres @param {string} [redisUrl] */
  constructor(dataDir, postgres, redisUrl) {
    this.dataDir = dataDir;
    this.postgres = postgres;
    /** @type {Record<string, string>} the settings of processes that start from now on */
    this.env = {
      NODE_ENV: 'production',
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      REDIS_URL: redisUrl ?? '',
      OPERATOR_TOKEN: OPERATOR,
      DATABASE_POOL_MAX: '32',
      SECRET_KEY,
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
      LOG_LEVEL: 'info',
      ...RATES,
    };
  }

  /**
   * @param {'api' | 'worker'} kind @param {string[]} [nodeOptions] e.g. `--cpu-prof` @param
   * {'ignore' | number} [log] where it prints to
   */
  async start(kind, nodeOptions = [], log = 'ignore') {
    const port = await freePort();
    const env = {
      PATH: process.env.PATH,
      ...this.env,
      [kind === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
    };
    const child = spawn(
      process.execPath,
      [...NODE_FLAGS, ...nodeOptions, join(ROOT, 'apps', kind, 'dist/main.js')],
      {
        cwd: ROOT,
        env,
        stdio: ['ignore', log, log === 'ignore' ? 'inherit' : log],
      },
    );
    const url = `http://127.0.0.1:${port}`;
    for (let tries = 0; ; tries += 1) {
      const ready = await fetch(`${url}/health/ready`).then(
        (r) => r.status === 200,
        () => false,
      );
      if (ready) break;
      if (tries > 2400 || child.exitCode !== null) {
        child.kill('SIGKILL');
        throw new Error(`the ${kind} did not become ready`);
      }
      await sleep(50);
    }
    const stop = () => stopProcess(child);
    this.#stops.push(stop);
    return {
      url,
      child,
      rssMb: () => residentMb(child.pid),
      cpuMs: () => cpuMs(child.pid),
      stop,
    };
  }

  /** Stops the processes that still run, such as those of a row that failed, and the database. */
  async close() {
    await Promise.all(this.#stops.map((stop) => stop()));
    await this.postgres.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Resident memory of a process. */
export async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

/**
 * Processor time that a process has used so far, in milliseconds; Linux counts it in hundredths of
 * a second.
 */
export async function cpuMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

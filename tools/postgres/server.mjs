/**
 * Our own PostgreSQL under DATA_DIR: on 127.0.0.1 and on a Unix socket in its data folder,
 * password-protected, durable, stopped with us. `<dataDir>/postgres` is the data folder,
 * `postgres.json` keeps password and port, `log/postgres.log` what it says.
 */
import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { tieToThisProcess } from '../lifeline.mjs';
import { serverBinaries } from './binaries.mjs';
import {
  connectionUrl,
  ensureCluster,
  ensureProductRole,
  ensureSocketAccess,
  localUrl,
  reachableAs,
  readAccess,
  serverEnv,
  writeAccess,
} from './cluster.mjs';
import { reclaimCluster, removeSockets } from './reclaim.mjs';
import { ownCluster, serverUser } from './server-user.mjs';

const START_TIMEOUT_MS = 60_000; // recovery after a crash takes its time
const STOP_TIMEOUT_MS = 20_000;
const LOG_LIMIT_BYTES = 10_000_000;

/** Many short transactions from a few pools; small enough for a laptop. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '.', // the data folder, which only the server's user may enter
  max_connections: '300',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  wal_buffers: '16MB',
  checkpoint_timeout: '15min',
  synchronous_commit: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  autovacuum_naptime: '15s', // queue-like tables are emptied as fast as they fill
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
};

/** For test data that may be lost with the machine. */
const NOT_DURABLE = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  autovacuum_naptime: '1min',
};

/**
 * @typedef {object} RunningPostgres
 * @property {string} url of the database `tieline`, as its owner, who is no superuser
 * @property {string} localUrl of the same database for programs on this machine: over the socket,
 * which costs less than TCP, unless its path is too long
 * @property {number} port
 * @property {number} pid
 * @property {boolean} created whether the data folder was made by this start
 * @property {boolean} reclaimed whether a server that a killed start had left was stopped first
 * @property {Promise<number | null>} exited settles with the exit code when the server ends, for
 * whatever reason
 * @property {() => Promise<void>} stop ends the server and waits for it
 * @property {() => void} kill kills it immediately; the next start recovers from the log
 */

/**
 * Starts the server and waits until it accepts connections.
 * @param {object} options
 * @param {string} options.dataDir made when missing
 * @param {number} [options.port] default: the port of the last start, else a free one
 * @param {boolean} [options.durable] default true
 * @param {import('./cluster.mjs').Rights} [options.rights] of the role in `url`, when the data
 * folder is created; default `product`
 * @param {Record<string, string>} [options.settings] over ours
 * @param {string} [options.packageFolder] of other binaries than those that are installed here, see
 * `fetchPostgres`
 * @param {boolean | string} [options.throwAway] delete `dataDir`, or this folder around it, with
 * the server's end, also when this process is killed
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres(options) {
  const dataDir = resolve(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  await mkdir(join(dataDir, 'log'), { recursive: true });
  const user = await serverUser(clusterDir);
  await ownCluster(clusterDir, user);
  const binaries = await serverBinaries(user, options.packageFolder);
  const access = await readAccess(dataDir);
  const created = await ensureCluster({
    dataDir,
    clusterDir,
    password: access.password,
    rights: options.rights ?? 'product',
    binaries,
    user,
    durable: options.durable !== false,
  });
  const reclaimed = await reclaimCluster(clusterDir);
  await removeSockets(clusterDir);
  await ensureSocketAccess(clusterDir);

  const settings = { ...SETTINGS, ...(options.durable === false && NOT_DURABLE), ...options.settings };
  // A port can be taken between our look and the server's bind, and the last processes of a killed
  // server can hold its memory for a moment: both pass.
  for (let attempt = 1; ; attempt += 1) {
    const port = await getPort({ port: options.port ?? access.port, host: '127.0.0.1' });
    await writeAccess(dataDir, { ...access, port });
    try {
      const server = await launch({
        binaries,
        user,
        clusterDir,
        dataDir,
        settings: { ...settings, port: String(port) },
        throwAway: options.throwAway,
      });
      if (!created)
        await ensureProductRole({ ...access, port }).catch(async (error) => {
          await server.stop();
          throw error;
        });
      return {
        ...server,
        url: connectionUrl({ ...access, port }),
        localUrl: localUrl({ ...access, port }, clusterDir),
        port,
        created,
        reclaimed,
      };
    } catch (error) {
      if (attempt >= 5 || !/could not bind|shared memory block/.test(String(error))) throw error;
      await sleep(500);
    }
  }
}

/**
 * @param {any} options `throwAway`: as in {@link startPostgres}
 */
async function launch({ binaries, user, clusterDir, dataDir, settings, throwAway = false }) {
  const { path, cwd } = reachableAs(clusterDir, user);
  const logFile = join(dataDir, 'log', 'postgres.log');
  const logStart = await prepareLog(logFile);
  const log = await open(logFile, 'a', 0o600);
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached: Ctrl-C in the terminal must reach us alone, the server goes last.
  const child = spawn(binaries.postgres, ['-D', path, ...flags], {
    ...user,
    cwd,
    env: serverEnv(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  /** @type {Promise<number | null>} */
  const exited = new Promise((settle) => {
    child.once('exit', (code) => settle(code));
    child.once('error', () => settle(null));
  });
  await log.close();
  const lifeline = tieToThisProcess(child.pid, {
    signal: 'INT',
    lastSignal: 'QUIT',
    graceSeconds: 20,
    removeFolder: throwAway === true ? dataDir : throwAway || '',
  });
  if (!throwAway) exited.then(() => lifeline.release());

  if (!(await isReady(clusterDir, child, exited))) {
    child.kill('SIGQUIT');
    const said = (await readFile(logFile, 'utf8')).slice(logStart);
    throw new Error(`PostgreSQL did not start, its log says:\n${said.trim()}`);
  }
  return {
    pid: /** @type {number} */ (child.pid),
    exited,
    kill: () => child.kill('SIGQUIT'),
    async stop() {
      await stop(child, exited);
      if (throwAway) await rm(throwAway === true ? dataDir : throwAway, { recursive: true, force: true });
      lifeline.release();
    },
  };
}

/** @param {string} logFile */
async function prepareLog(logFile) {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size < LOG_LIMIT_BYTES) return size;
  await truncate(logFile);
  return 0;
}

/**
 * The postmaster itself writes into its lock file that it is ready: line 8, beside its process
 * number in line 1.
 * @param {string} clusterDir
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} exited
 */
async function isReady(clusterDir, child, exited) {
  let ended = false;
  exited.then(() => (ended = true));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!ended && Date.now() < deadline) {
    const lines = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
    await sleep(20);
  }
  return false;
}

/** @param {import('node:child_process').ChildProcess} child @param {Promise<unknown>} exited */
async function stop(child, exited) {
  child.kill('SIGINT');
  const inTime = await Promise.race([exited.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })]);
  if (!inTime) child.kill('SIGQUIT');
  await exited;
}

/** Making the data folder: once per DATA_DIR, all or nothing. */
import { spawn } from 'node:child_process';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { canEnter } from './server-user.mjs';

/** The superuser, which has no password and so can't sign in. */
const SUPERUSER = 'tieline';
/** The role of the programs. */
export const ROLE = 'tieline_app';
const DATABASE = 'tieline';

const TCP_ACCESS = 'host all all 127.0.0.1/32 scram-sha-256\n';
const SOCKET_ACCESS = 'local all all scram-sha-256\n';
/** Of macOS; Linux allows 107. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * @typedef {{ port?: number, password: string }} Access what `postgres.json` keeps beside the data
 * folder
 */

/**
 * The password and the port of the server under `dataDir`; a new password when there is none yet.
 * @param {string} dataDir
 * @returns {Promise<Access>}
 */
export async function readAccess(dataDir) {
  const text = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => undefined);
  return text ? JSON.parse(text) : { password: randomBytes(24).toString('base64url') };
}

/** @param {string} dataDir @param {Access} access */
export async function writeAccess(dataDir, access) {
  const path = join(dataDir, 'postgres.json');
  await writeFile(`${path}.new`, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/**
 * @param {Access} access with a port @param {string} [role] default: the role of the
 * programs
 */
export function connectionUrl(access, role = ROLE) {
  return `postgres://${role}:${access.password}@127.0.0.1:${access.port}/${DATABASE}`;
}

/**
 * Returns the address of the server's socket, or of its port if the path of the socket is too long.
 * @param {Access} access with a port @param {string} clusterDir
 */
export function localUrl(access, clusterDir) {
  const isTooLong = Buffer.byteLength(join(clusterDir, `.s.PGSQL.${access.port}`)) > MAX_SOCKET_PATH_BYTES;
  return connectionUrl(access) + (isTooLong ? '' : `?host=${encodeURIComponent(clusterDir)}`);
}

/**
 * @typedef {'product' | 'testing' | 'superuser'} Rights what the programs' role may do: own its
 * database; also create databases and switch off triggers for a session; anything (for tools that
 * replicate, back up or install extensions)
 */

/**
 * @param {string} password @param {Rights} rights @returns {string[]} the commands that create role
 * and database, one a line
 */
function setUp(password, rights) {
  const attributes = { product: '', testing: 'CREATEDB', superuser: 'SUPERUSER' }[rights];
  return [
    `CREATE ROLE ${ROLE} LOGIN ${attributes} PASSWORD '${storedPassword(password)}'`,
    `GRANT pg_read_all_stats TO ${ROLE}`,
    `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`,
    ...(rights === 'testing'
      ? [`GRANT SET ON PARAMETER session_replication_role TO ${ROLE}`, `GRANT pg_checkpoint TO ${ROLE}`]
      : []),
  ];
}

/**
 * Returns a password as PostgreSQL stores it, with a single iteration. More would only slow down
 * connections, by 5 ms of processor time each: 192 random bits cannot be guessed.
 * @param {string} password
 */
function storedPassword(password) {
  const salt = randomBytes(16);
  const key = pbkdf2Sync(password, salt, 1, 32, 'sha256');
  const hmac = (/** @type {string} */ text) => createHmac('sha256', key).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$1:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}

/**
 * Lets roles with a password use the socket of a data folder of version 0.2, which had none.
 * @param {string} clusterDir
 */
export async function ensureSocketAccess(clusterDir) {
  const path = join(clusterDir, 'pg_hba.conf');
  const access = await readFile(path, 'utf8');
  if (!access.includes(SOCKET_ACCESS)) await writeFile(path, SOCKET_ACCESS + access);
}

/**
 * Gives a data folder of version 0.1, whose programs were the superuser, the role of the programs.
 * @param {Access & { port: number }} access
 */
export async function ensureProductRole(access) {
  if (await signsIn(connectionUrl(access))) return;
  const client = new pg.Client(connectionUrl(access, SUPERUSER));
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('tieline.password', $1, true)", [access.password]);
    await client.query(await readFile(join(import.meta.dirname, 'product-role.sql'), 'utf8'));
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/**
 * @param {string} url @returns {Promise<boolean>} false when role or password are not known there
 */
async function signsIn(url) {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error.code === '28P01' || error.code === '28000') return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * How to name the data folder to the server. A folder below one that the server's user cannot enter
 * (a checkout in /root) is reached through the working directory, which the process got while it
 * was still root.
 * @param {string} clusterDir
 * @param {import('./server-user.mjs').ServerUser} user
 * @returns {{ path: string, cwd: string }}
 */
export function reachableAs(clusterDir, user) {
  if (canEnter(clusterDir, user)) return { path: clusterDir, cwd: '/' };
  if (process.platform === 'linux') return { path: '/proc/self/cwd', cwd: clusterDir };
  throw new Error(`PostgreSQL cannot reach ${clusterDir}: choose a DATA_DIR that every user may enter`);
}

/**
 * @param {object} options
 * @param {string} options.dataDir
 * @param {string} options.clusterDir the data folder to make; left alone when it is there
 * @param {string} options.password of the programs' role
 * @param {Rights} options.rights
 * @param {{ initdb: string, postgres: string }} options.binaries
 * @param {import('./server-user.mjs').ServerUser} options.user
 * @param {boolean} options.durable whether to wait for the disk
 * @returns {Promise<boolean>} whether it was made now
 */
export async function ensureCluster({ dataDir, clusterDir, password, rights, binaries, user, durable }) {
  if (await stat(join(clusterDir, 'PG_VERSION')).catch(() => undefined)) return false;
  // An interrupted initdb leaves rubbish, so it works in a folder of another name.
  const unfinished = join(dataDir, 'postgres.new');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await chmod(unfinished, 0o700);
  if (user.uid !== undefined) await chown(unfinished, user.uid, user.gid ?? user.uid);

  const { path, cwd } = reachableAs(unfinished, user);
  const flags = ['--locale=C.UTF-8', '-E', 'UTF8', '-U', SUPERUSER, '--auth=trust', '--no-instructions'];
  await run(binaries.initdb, ['-D', path, ...flags, ...(durable ? [] : ['--no-sync'])], { user, cwd });
  // No server has listened yet, and none will without a password: both go through single-user mode
  // and the file.
  const input = `${setUp(password, rights).join(';\n')};\n`;
  await run(binaries.postgres, ['--single', '-D', path, 'postgres'], { user, cwd, input });
  await writeFile(join(unfinished, 'pg_hba.conf'), SOCKET_ACCESS + TCP_ACCESS);
  await rename(unfinished, clusterDir);
  return true;
}

/**
 * @param {string} command @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { user: object, input?: string }} options
 */
function run(command, args, { user, cwd, input = '' }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...user, cwd, env: serverEnv(), stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (part) => (output += part));
    child.stderr.on('data', (part) => (output += part));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && !/^.*(?:ERROR|FATAL|PANIC):/m.test(output)) resolve(undefined);
      else reject(new Error(`${command} failed (${code}):\n${output.trim()}`));
    });
  });
}

/** Only what the server needs: PG* variables of the caller must not steer it. */
export function serverEnv() {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}

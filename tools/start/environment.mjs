/** The environment of api and worker: what the user set, completed by the embedded default. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The file in DATA_DIR that keeps a generated secret, readable by its owner only. */
export const SECRET_FILES = { SECRET_KEY: 'secret-key', OPERATOR_TOKEN: 'operator-token' };

/**
 * @param {NodeJS.ProcessEnv} given
 * @param {string} root the checkout; a relative DATA_DIR is meant from here
 */
export function dataDirOf(given, root) {
  return resolve(root, given.DATA_DIR?.trim() || '.data');
}

/** @param {NodeJS.ProcessEnv} given @returns {boolean} whether we run a database of our own */
export function isEmbedded(given) {
  return !given.DATABASE_URL?.trim();
}

/**
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.given
 * @param {string} options.dataDir
 * @param {string} [options.databaseUrl] of the embedded server, or the given one
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function appEnvironment({ given, dataDir, databaseUrl }) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...given, DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  // In production the operator provides secrets. The programs report missing ones.
  if (given.NODE_ENV !== 'production') {
    env.SECRET_KEY = given.SECRET_KEY?.trim() || (await keptSecret(dataDir, 'SECRET_KEY', 'base64'));
    env.OPERATOR_TOKEN =
      given.OPERATOR_TOKEN?.trim() || (await keptSecret(dataDir, 'OPERATOR_TOKEN', 'base64url'));
  }
  if (isEmbedded(given)) {
    // Set but empty means none, so only what is really unset gets the value for trying things out
    // on one machine.
    env.EGRESS_ALLOW_HTTP = given.EGRESS_ALLOW_HTTP ?? 'true';
    env.EGRESS_ALLOWED_CIDRS = given.EGRESS_ALLOWED_CIDRS ?? '127.0.0.0/8,::1/128';
  }
  return env;
}

/**
 * Where the programs that run with this environment are reached: from outside, and on this machine.
 * @param {NodeJS.ProcessEnv} env
 */
export function addresses(env) {
  const host = localHost(env.HOST?.trim() || '127.0.0.1');
  const port = env.PORT?.trim() || 3000;
  return {
    public: env.PUBLIC_URL?.trim() || `http://localhost:${port}`,
    api: `http://${host}:${port}`,
    operator: `http://${host}:${env.OPERATOR_PORT?.trim() || port}`,
    worker: `http://${host}:${env.WORKER_PORT?.trim() || 3001}`,
  };
}

/** @param {string} host */
function localHost(host) {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * @param {string} dataDir @param {keyof typeof SECRET_FILES} name @param {BufferEncoding} encoding
 */
async function keptSecret(dataDir, name, encoding) {
  const path = join(dataDir, SECRET_FILES[name]);
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (kept) return kept;
  const secret = randomBytes(32).toString(encoding);
  // A restored backup may lack this folder.
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}

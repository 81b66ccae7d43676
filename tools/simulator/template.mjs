/** A database that is migrated and filled, made once per schema and copied for each start. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { startPostgres } from '../postgres/server.mjs';
import { runStep } from '../start/run-step.mjs';
import { cached } from './cache.mjs';
import { startProgram } from './programs.mjs';
import { makeWorld } from './world.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** Inputs that determine the template, besides the migrations. */
const INGREDIENTS = [
  'tools/simulator/world.mjs',
  'tools/simulator/template.mjs',
  'tools/postgres/cluster.mjs',
];

/**
 * Settings of api and worker: the encryption key and the operator token.
 * @param {{ secretKey: string, operatorToken: string }} secrets
 * @param {{ databaseUrl: string, dataDir: string }} place
 * @returns {NodeJS.ProcessEnv}
 */
export function settingsOf({ secretKey, operatorToken }, { databaseUrl, dataDir }) {
  return {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    OPERATOR_TOKEN: operatorToken,
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  };
}

/**
 * The folder to copy, made when it is missing (a few seconds).
 * @param {string} code the programs' (bundle.mjs)
 * @param {(line: string) => void} say
 * @returns {Promise<string>}
 */
export async function ensureTemplate(code, say) {
  return cached(`database-${await templateKey()}`, async (folder) => {
    say('preparing the database of simulators, once per schema …');
    await make(folder, code);
  });
}

/**
 * @param {string} template
 * @param {string} folder a new one, to be made
 * @returns {Promise<{ secretKey: string, operatorToken: string, world: import('./world.mjs').World
 * }>}
 */
export async function copyTemplate(template, folder) {
  // Owners and modes are kept: the server insists on both. Where the disk can, no byte is copied.
  const reflink = process.platform === 'linux' ? ['--reflink=auto'] : [];
  await new Promise((done, failed) => {
    const child = spawn('cp', ['-Rp', ...reflink, template, folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', failed);
    child.once('exit', (code) =>
      code === 0 ? done(undefined) : failed(new Error(`cp ended with code ${code}`)),
    );
  });
  return JSON.parse(await readFile(join(folder, 'contents.json'), 'utf8'));
}

async function make(dataDir, code) {
  const secrets = {
    secretKey: randomBytes(32).toString('base64'),
    operatorToken: randomBytes(32).toString('base64url'),
  };
  const server = await startPostgres({ dataDir, durable: false });
  try {
    const env = settingsOf(secrets, { databaseUrl: server.url, dataDir });
    const script = join(ROOT, 'apps/api/dist/migrate.js');
    await runStep({ script, cwd: ROOT, env: { PATH: process.env.PATH, ...env }, say: () => undefined });
    const api = await startProgram({ name: 'api', code, folder: join(dataDir, 'log'), env });
    const world = await makeWorld(api.url, secrets.operatorToken).finally(() => api.stop());
    await writeFile(join(dataDir, 'contents.json'), JSON.stringify({ ...secrets, world }), { mode: 0o600 });
  } finally {
    await server.stop();
  }
  await rm(join(dataDir, 'log'), { recursive: true });
}

async function templateKey() {
  const hash = createHash('sha256');
  for (const file of [...(await migrations()), ...INGREDIENTS]) {
    hash.update(`${file}\n`);
    hash.update(await readFile(join(ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function migrations() {
  const libs = await readdir(join(ROOT, 'libs'));
  const folders = await Promise.all(
    libs.map((lib) =>
      readdir(join(ROOT, 'libs', lib, 'src/migrations')).then(
        (files) => ({ lib, files }),
        () => ({ lib, files: [] }),
      ),
    ),
  );
  return folders.flatMap(({ lib, files }) =>
    files.sort().map((file) => relative(ROOT, join(ROOT, 'libs', lib, 'src/migrations', file))),
  );
}

/**
 * `npm run reencrypt`: brings every stored secret under the current SECRET_KEY; see
 * docs/security.md.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { connectionUrl, readAccess } from './postgres/cluster.mjs';
import { appEnvironment, dataDirOf, isEmbedded } from './start/environment.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const dataDir = dataDirOf(process.env, ROOT);
const built = spawnSync(process.execPath, ['tools/build.mjs'], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (built.status !== 0) process.exit(1);

const databaseUrl = isEmbedded(process.env) ? await embeddedUrl() : process.env.DATABASE_URL;
const env = await appEnvironment({ given: process.env, dataDir, databaseUrl });
const done = spawnSync(process.execPath, ['--enable-source-maps', 'apps/api/dist/reencrypt.js'], {
  cwd: ROOT,
  env,
  stdio: 'inherit',
});
process.exit(done.status ?? 1);

/** The embedded server belongs to a running `npm start`. */
async function embeddedUrl() {
  const access = await readAccess(dataDir);
  if (access.port) return connectionUrl(access);
  console.error(`There is no database in ${dataDir}. Start it first: npm start`);
  process.exit(1);
}

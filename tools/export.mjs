/**
 * `npm run export -- <file>`: the whole database in a file, for `npm run import`; see
 * docs/backup.md.
 */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { connectionUrl, readAccess } from './postgres/cluster.mjs';
import { startPostgres } from './postgres/server.mjs';
import { runBuilt } from './start/built.mjs';
import { appEnvironment, dataDirOf, isEmbedded } from './start/environment.mjs';
import { lockDataDir } from './start/lock.mjs';

const ROOT = resolve(import.meta.dirname, '..');
/** @type {(() => unknown)[]} */
const undo = [];
let code = 1;
try {
  const dataDir = dataDirOf(process.env, ROOT);
  const databaseUrl = isEmbedded(process.env) ? await embeddedUrl(dataDir) : process.env.DATABASE_URL;
  const env = await appEnvironment({ given: process.env, dataDir, databaseUrl });
  code = runBuilt('export.js', env);
} catch (error) {
  console.error(error.message);
} finally {
  for (const step of undo.reverse()) await step();
}
process.exit(code);

/**
 * The server of a running `npm start`, else one for the time of the export.
 * @param {string} dataDir
 */
async function embeddedUrl(dataDir) {
  if (!(await stat(join(dataDir, 'postgres')).catch(() => undefined)))
    throw new Error(`There is no database in ${dataDir}.`);
  const release = await lockDataDir(dataDir).catch(() => undefined);
  if (!release) return connectionUrl(await readAccess(dataDir));
  undo.push(release);
  const server = await startPostgres({ dataDir });
  undo.push(() => server.stop());
  return server.url;
}

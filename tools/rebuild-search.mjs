/**
 * `npm run rebuild-search`: builds the search index again; see docs/search.md.
 */
import { resolve } from 'node:path';
import { connectionUrl, readAccess } from './postgres/cluster.mjs';
import { runBuilt } from './start/built.mjs';
import { appEnvironment, dataDirOf, isEmbedded } from './start/environment.mjs';

const dataDir = dataDirOf(process.env, resolve(import.meta.dirname, '..'));
const databaseUrl = isEmbedded(process.env) ? await embeddedUrl() : process.env.DATABASE_URL;
process.exit(
  runBuilt('rebuild-search.js', await appEnvironment({ given: process.env, dataDir, databaseUrl })),
);

/** The embedded server belongs to a running `npm start`. */
async function embeddedUrl() {
  const access = await readAccess(dataDir);
  if (access.port) return connectionUrl(access);
  console.error(`There is no database in ${dataDir}. Start it first: npm start`);
  process.exit(1);
}

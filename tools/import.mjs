/**
 * `npm run import -- <file>`: fills the empty database of DATABASE_URL with an export; see
 * docs/backup.md.
 */
import { resolve } from 'node:path';
import { runBuilt } from './start/built.mjs';
import { appEnvironment, dataDirOf, isEmbedded } from './start/environment.mjs';

if (isEmbedded(process.env)) {
  console.error('Set DATABASE_URL to the empty database that is to be filled.');
  process.exit(1);
}
const dataDir = dataDirOf(process.env, resolve(import.meta.dirname, '..'));
const env = await appEnvironment({ given: process.env, dataDir, databaseUrl: process.env.DATABASE_URL });
process.exit(runBuilt('import.js', env));

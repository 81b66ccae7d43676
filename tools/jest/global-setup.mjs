/** Gives a test run without `DATABASE_URL` a PostgreSQL server of its own, thrown away afterwards. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../postgres/server.mjs';

export default async function globalSetup() {
  if (process.env.DATABASE_URL) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'tieline-test-'));
  const server = await startPostgres({ dataDir, durable: false, throwAway: true });
  process.env.DATABASE_URL = server.url;
  globalThis.tielineTestServer = server;
}

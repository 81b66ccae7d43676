/**
 * Starts a temporary PostgreSQL server for a test run without `DATABASE_URL`. Compiles changed
 * sources first, because tests of whole processes must not run an old build. Pure tests need
 * neither.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.mjs';
import { startPostgres } from '../postgres/server.mjs';

export default async function globalSetup({ rootDir }) {
  if (process.env.TIELINE_TESTS === 'pure') return;
  if (rootDir.endsWith('/apps/e2e')) await build();
  if (process.env.DATABASE_URL) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'tieline-test-'));
  const server = await startPostgres({ dataDir, durable: false, rights: 'testing', throwAway: true });
  process.env.DATABASE_URL = server.url;
  globalThis.tielineTestServer = server;
}

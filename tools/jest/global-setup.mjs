/**
 * Starts a temporary PostgreSQL server for a test run without `DATABASE_URL`. Compiles changed
 * sources first, because tests of whole processes must not run an old build. Pure tests need
 * neither.
 */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from '../build.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { throwAwayFolder } from '../postgres/throw-away.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

export default async function globalSetup({ rootDir }) {
  if (process.env.TIELINE_TESTS === 'pure') return;
  if (rootDir === ROOT || rootDir === join(ROOT, 'apps/e2e')) {
    await build();
    const { ensureBundle } = await import('../simulator/bundle.mjs');
    process.env.TIELINE_TEST_PROGRAMS = await ensureBundle(ROOT, await readdir(join(ROOT, 'libs')));
  }
  // From Node 22 on, scripts are compiled once and not by every process.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/tieline-tests/scripts');
  if (process.env.DATABASE_URL) return;
  const dataDir = await throwAwayFolder();
  const server = await startPostgres({ dataDir, durable: false, rights: 'testing', throwAway: true });
  process.env.DATABASE_URL = server.url;
  globalThis.tielineTestServer = server;
}

import { createHash } from 'node:crypto';
import { discoverMigrations, runMigrations } from '@tieline/platform/database';
import type { Migration } from '@tieline/platform/database';
import { createWorkspace, post, subscribe, Tieline } from './tieline.js';

let tieline: Tieline;
beforeEach(async () => {
  tieline = await Tieline.create();
});
afterEach(() => tieline?.close());

/**
 * Simulates the `migrate` of a newer build, with one migration more than the programs of these
 * tests know.
 */
async function migrateNewer(sql: string, worksWith?: string): Promise<void> {
  const checksum = createHash('sha256').update(sql).digest('hex');
  const newer: Migration = {
    lib: 'spaces',
    name: '9999-newer',
    sql,
    checksum,
    ...(worksWith && { worksWith }),
  };
  await runMigrations(tieline.databaseUrl, [...(await discoverMigrations()), newer]);
}

const ADDED = 'ALTER TABLE spaces ADD COLUMN colour text';

test('with an additive migration of a newer build old processes continue, restart and scale', async () => {
  const running = await tieline.start('api');
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(running);
  await subscribe(running, workspace, receiver.url);
  await migrateNewer(ADDED, 'spaces/0002-audit-log-age');
  await post(running, workspace, 'from the one that was there');
  const another = await tieline.start('api');
  await tieline.start('worker');
  await post(another, workspace, 'from the one that came later');
  for (const text of ['that was there', 'that came later'])
    await receiver.waitFor((request) => request.body.includes(text));
  // The old build's own `migrate` finds nothing to do.
  await runMigrations(tieline.databaseUrl, await discoverMigrations());
});

test.each([
  ['does not declare it', undefined],
  ['declares it for newer programs only', 'spaces/9998-newer-too'],
])('beside a migration that %s, no old process starts', async (_, worksWith) => {
  await migrateNewer(ADDED, worksWith);
  await expect(tieline.start('api')).rejects.toThrow('spaces/9999-newer, which this program does not know');
  await expect(runMigrations(tieline.databaseUrl, await discoverMigrations())).rejects.toThrow(
    'does not know',
  );
});

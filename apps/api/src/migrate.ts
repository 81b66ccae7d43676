import { PlatformSettings, readEnvironment } from '@tieline/platform/config';
import { discoverMigrations, runMigrations } from '@tieline/platform/database';
import { runCommand } from '@tieline/platform/runtime';

// The command `migrate`: brings the database up to this program. Safe to run from several machines
// at once.
await runCommand(async () => {
  const settings = new PlatformSettings(await readEnvironment());
  await runMigrations(settings.databaseUrl, await discoverMigrations(), (line) =>
    process.stdout.write(`${line}\n`),
  );
});

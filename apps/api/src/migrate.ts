import { PlatformSettings, readEnvironment } from '@tieline/platform/config';
import { discoverMigrations, runMigrations } from '@tieline/platform/database';
import { runCommand } from '@tieline/platform/runtime';

// The command `migrate`: applies all migrations. Several machines may run it concurrently.
await runCommand(async () => {
  const settings = new PlatformSettings(await readEnvironment());
  await runMigrations(settings.databaseUrl, await discoverMigrations(), (line) =>
    process.stdout.write(`${line}\n`),
  );
});

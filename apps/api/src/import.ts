import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { Gunzip } from 'node:zlib';
import { PlatformSettings, readEnvironment } from '@tieline/platform/config';
import { discoverMigrations, runMigrations } from '@tieline/platform/database';
import { CommandRefused, runCommand } from '@tieline/platform/runtime';
import { importDatabase } from '@tieline/transfer';
import { showProgress } from './progress.js';
import { transferKey } from './transfer-key.js';

// The command `import <file>`: migrates the database of DATABASE_URL and fills it with what
// `export` wrote (docs/backup.md#move-to-another-server).
await runCommand(async () => {
  const file = process.argv[2];
  if (!file) throw new CommandRefused('say where from: import <file>');
  await access(file).catch((error: Error) => Promise.reject(new CommandRefused(error.message)));
  const settings = new PlatformSettings(await readEnvironment());
  await runMigrations(settings.databaseUrl, await discoverMigrations());
  const keys = [settings.secretKey, ...settings.secretKeysOld].map(transferKey);
  const rows = await importDatabase(settings.databaseUrl, keys, () => unzipped(file), showProgress());
  process.stdout.write(`${rows} rows from ${file}\n`);
});

function unzipped(file: string): Gunzip {
  const source = createReadStream(file);
  const target = source.pipe(createGunzip());
  source.once('error', (error) => target.destroy(error));
  return target;
}

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PlatformSettings, readEnvironment } from '@tieline/platform/config';
import { CommandRefused, runCommand } from '@tieline/platform/runtime';
import { exportDatabase } from '@tieline/transfer';
import { showProgress } from './progress.js';
import { transferKey } from './transfer-key.js';

// The command `export <file>`: writes the whole database to a file for `import`
// (docs/backup.md#move-to-another-server). Safe while the product runs.
await runCommand(async () => {
  const file = process.argv[2];
  if (!file) throw new CommandRefused('say where to: export <file>');
  const settings = new PlatformSettings(await readEnvironment());
  const unfinished = `${file}.unfinished`;
  const target = createWriteStream(unfinished, { mode: 0o600 });
  await once(target, 'open').catch((error: Error) => Promise.reject(new CommandRefused(error.message)));
  try {
    const zip = createGzip({ level: 1 });
    const written = finished(zip.pipe(target));
    const rows = await Promise.race([
      exportDatabase(settings.databaseUrl, transferKey(settings.secretKey), zip, showProgress()),
      written.then(() => 0),
    ]);
    zip.end();
    await written;
    await rename(unfinished, file);
    process.stdout.write(`${rows} rows in ${file}\n`);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
});

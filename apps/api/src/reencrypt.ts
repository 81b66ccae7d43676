import { PlatformSettings, readEnvironment } from '@tieline/platform/config';
import { openDb } from '@tieline/platform/database';
import { runCommand } from '@tieline/platform/runtime';
import { SecretBox } from '@tieline/signing';
import { reencryptSecrets } from '@tieline/reencryption';
import { SECRET_COLUMNS } from './secret-columns.js';

// The command `reencrypt`: encrypts every stored secret with the current SECRET_KEY
// (docs/security.md). Safe while the product runs. A restarted run continues where it stopped.
await runCommand(async () => {
  const settings = new PlatformSettings(await readEnvironment());
  const db = await openDb({
    databaseUrl: settings.databaseUrl,
    poolMax: 2,
    applicationName: 'tieline-reencrypt',
  });
  try {
    const results = await reencryptSecrets(db, SecretBox.fromSettings(settings), SECRET_COLUMNS);
    for (const { table, secretColumn, reencrypted, unreadable } of results) {
      process.stdout.write(
        `${table}.${secretColumn}: ${reencrypted} under the new key, ${unreadable} unreadable\n`,
      );
    }
    if (results.some((result) => result.unreadable > 0))
      throw new Error('some secrets open with none of the known keys: keep the old keys in SECRET_KEYS_OLD');
  } finally {
    await db.close();
  }
});

import { PlatformSettings, readEnvironment } from '@tieline/platform/config';
import { openDb } from '@tieline/platform/database';
import { runCommand } from '@tieline/platform/runtime';
import { emptyIndex, indexEarlierMessages, indexProgress } from '@tieline/search';

const REPORT_MS = 1_000;

// The command `rebuild-search`: empties the search index and builds it again, newest messages first
// (docs/search.md#rebuild-the-index). Safe while the product runs. If it is interrupted, workers
// continue.
await runCommand(async () => {
  const { databaseUrl } = new PlatformSettings(await readEnvironment());
  const db = await openDb({ databaseUrl, poolMax: 2, applicationName: 'tieline-rebuild-search' });
  const report = async (): Promise<void> => {
    const { done, total, spaces } = await indexProgress(db);
    process.stdout.write(`${done} of ${total} messages indexed, ${spaces} spaces left\n`);
  };
  try {
    await emptyIndex(db);
    let reportedAt = performance.now();
    await indexEarlierMessages(db, async () => {
      if (performance.now() - reportedAt >= REPORT_MS) {
        reportedAt = performance.now();
        await report();
      }
      return true;
    });
    await report();
  } finally {
    await db.close();
  }
});

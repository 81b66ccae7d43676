import { uuidFloor } from '@tieline/partitions';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { RECORD_READ_ACCESS } from './audit-log.statements.js';
import { shownChanges } from './record-change.js';
import type { ChangeRecord } from './record-change.js';

/** An hour plus the maximum difference between the clocks of api and database. */
const LOOKBACK_MS = 3_600_000 + 300_000;

/**
 * Records in the space's audit log that someone read other people's data, such as request bodies,
 * events of a bot or the people of a space. Writes one entry per hour, actor, action and object, so
 * that repeated requests don't fill the log. Two concurrent requests may both write one. Call it
 * before sending the response, so that no response goes out without an entry.
 */
export async function recordReading(db: Db, record: ChangeRecord): Promise<void> {
  const since = uuidFloor(new Date(Date.now() - LOOKBACK_MS));
  const changes = JSON.stringify(shownChanges(record.changes));
  await runInTx(db, (tx) => tx.query(RECORD_READ_ACCESS, { ...record, id: uuidv7(), changes, since }), {
    spaceId: record.spaceId,
    place: record.objectId,
  });
}

import { uuidFloor } from '@tieline/partitions';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { NOTE_READING } from './audit-log.statements.js';
import { shownChanges } from './record-change.js';
import type { ChangeRecord } from './record-change.js';

/** An hour plus the maximum difference between the clocks of api and database. */
const LOOKED_BACK_MS = 3_600_000 + 300_000;

/**
 * Records in the space's audit log that someone reads data of others: bodies, events of a bot, the
 * people of a space. One entry an hour for each actor, action and object, so that repeated requests
 * don't fill the log. Call it before the answer, so that there is no answer without the entry. Two
 * concurrent requests may both write one.
 */
export async function recordReading(db: Db, record: ChangeRecord): Promise<void> {
  const { spaceId, actorId, actorType, action, objectType, objectId, changes, ip } = record;
  const since = uuidFloor(new Date(Date.now() - LOOKED_BACK_MS));
  const shown = JSON.stringify(shownChanges(changes));
  await runInTx(
    db,
    (tx) =>
      tx.query(NOTE_READING, [
        ...[spaceId, uuidv7(), objectId, actorId, actorType, action, objectType, shown, ip],
        since,
      ]),
    { spaceId, place: objectId },
  );
}

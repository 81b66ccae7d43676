import { unprepared } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { idFloor } from '../poll/poll-ids.js';
import { DROP_OLD_WAITS } from './answers/answer-waits.statements.js';
import { EXPIRE_ENVELOPES } from './envelopes.statements.js';
import { DROP_DEAD_SOCKETS } from './sockets.statements.js';

const EXPIRED_BATCH = 5000;
const HOUR_MS = 3_600_000;

/**
 * Deletes envelopes of records out of retention, and data of processes that ended without cleanup.
 */
export async function forgetSockets(db: Db, retentionHours: number, now = new Date()): Promise<void> {
  const floor = idFloor(new Date(now.getTime() - retentionHours * HOUR_MS));
  while ((await db.query(unprepared(EXPIRE_ENVELOPES), [floor, EXPIRED_BATCH])).length === EXPIRED_BATCH);
  await db.query(DROP_DEAD_SOCKETS);
  await db.query(DROP_OLD_WAITS);
}

import { createHash } from 'node:crypto';
import { rfc3339, statement } from '@tieline/platform/database';
import type { Db, Queryable } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { InteractionContext, InteractionEvent } from '../delivery/interaction-context.js';

/** Contract, "Interactive callback delivery": from the click that was accepted. */
const WINDOW = `interval '60 seconds'`;

/** The right to tell a bot of one click. */
export interface ClickClaim {
  spaceId: string;
  fingerprint: Buffer;
  clickId: string;
  /** RFC 3339, UTC, nine fractional digits. */
  occurredAt: string;
}

const CLAIM = statement(
  'interactive.claim_click',
  `INSERT INTO component_clicks AS c (space_id, fingerprint, click_id, expires_at)
   VALUES ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 millisecond')
   ON CONFLICT (space_id, fingerprint) DO UPDATE
     SET click_id = excluded.click_id, clicked_at = excluded.clicked_at, expires_at = excluded.expires_at WHERE c.expires_at <= clock_timestamp()
   RETURNING ${rfc3339('c.clicked_at')} AS "occurredAt"`,
);

/** Two clicks are the same when all of this is (decisions, section 5). */
export function clickFingerprint(
  { messageId, actionId, userId }: InteractionContext,
  event: Exclude<InteractionEvent, { type: 'modal.submit' }>,
): Buffer {
  const selected = event.type === 'select.submit' ? event.selectedValue : null;
  return createHash('sha256')
    .update(JSON.stringify([messageId, actionId, event.data, userId, selected]))
    .digest();
}

/**
 * Claims a click for as long as a bot may take to answer: of several at once, in whatever processes, one gets it.
 * @returns undefined for a click that was accepted within the last 60 seconds or is in flight
 */
export async function claimClick(
  db: Db,
  spaceId: string,
  fingerprint: Buffer,
  leaseMs: number,
): Promise<ClickClaim | undefined> {
  const clickId = uuidv7();
  const [row] = await db.query<{ occurredAt: string }>(CLAIM, [spaceId, fingerprint, clickId, leaseMs]);
  return row && { spaceId, fingerprint, clickId, occurredAt: row.occurredAt };
}

/** The click was accepted: the 60 seconds count. */
export async function acceptClick(
  q: Queryable,
  { spaceId, fingerprint, clickId }: ClickClaim,
): Promise<void> {
  await q.query(
    `UPDATE component_clicks SET expires_at = clicked_at + ${WINDOW} WHERE space_id = $1 AND fingerprint = $2 AND click_id = $3`,
    [spaceId, fingerprint, clickId],
  );
}

/** The click failed: the next one is as good as the first. */
export async function releaseClick(db: Db, { spaceId, fingerprint, clickId }: ClickClaim): Promise<void> {
  await db.query('DELETE FROM component_clicks WHERE space_id = $1 AND fingerprint = $2 AND click_id = $3', [
    spaceId,
    fingerprint,
    clickId,
  ]);
}

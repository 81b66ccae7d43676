import { createHash } from 'node:crypto';
import type { Db, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { InteractionContext, InteractionEvent } from '../delivery/interaction-context.js';
import { ACCEPT_CLICK, CLAIM_CLICK, LOCK_CLICK, RELEASE_CLICK } from './component-clicks.statements.js';

/** The claim to deliver one click to its bot. */
export interface ClickClaim {
  spaceId: string;
  fingerprint: Buffer;
  clickId: string;
  /** RFC 3339, UTC, nine fractional digits. */
  occurredAt: string;
}

/**
 * Two clicks are the same when all of this is, in whatever order values were chosen (decisions,
 * sections 5 and 11.6).
 */
export function clickFingerprint(
  { messageId, actionId, userId }: InteractionContext,
  event: Exclude<InteractionEvent, { type: `modal.${string}` }>,
): Buffer {
  const selected = event.type === 'select.submit' ? selectedIn(event.selectedValues) : null;
  return createHash('sha256')
    .update(JSON.stringify([messageId, actionId, event.data, userId, selected]))
    .digest();
}

/** One value alone, as processes before elements of several values wrote it. */
function selectedIn(values: readonly string[]): string | string[] | undefined {
  return values.length === 1 ? values[0] : [...values].sort();
}

/**
 * Claims a click for as long as a bot may take to answer: of several at once, in whatever
 * processes, one gets it.
 * @returns undefined for a click that was accepted within the last 60 seconds or is in flight
 */
export async function claimClick(
  db: Db,
  spaceId: string,
  fingerprint: Buffer,
  leaseMs: number,
): Promise<ClickClaim | undefined> {
  const clickId = uuidv7();
  const [row] = await db.query(CLAIM_CLICK, [spaceId, fingerprint, clickId, leaseMs]);
  return row && { spaceId, fingerprint, clickId, occurredAt: row.occurredAt };
}

/** The click was accepted: the 60 seconds count. */
export async function acceptClick(tx: Tx, { spaceId, fingerprint, clickId }: ClickClaim): Promise<void> {
  await tx.query(ACCEPT_CLICK, [spaceId, fingerprint, clickId]);
}

/**
 * Whether the click was accepted under this claim, also by a transaction that is committing at this
 * moment.
 */
export async function isAcceptedClick(
  tx: Tx,
  { spaceId, fingerprint, clickId }: ClickClaim,
): Promise<boolean> {
  const [row] = await tx.query(LOCK_CLICK, [spaceId, fingerprint, clickId]);
  return row?.isAccepted === true;
}

/** The click failed; it may be sent again at once. */
export async function releaseClick(db: Db, { spaceId, fingerprint, clickId }: ClickClaim): Promise<void> {
  await db.query(RELEASE_CLICK, [spaceId, fingerprint, clickId]);
}

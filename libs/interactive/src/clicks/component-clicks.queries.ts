import { createHash } from 'node:crypto';
import type { Db, Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { storeFeedback } from '../feedback/feedback.queries.js';
import type { FeedbackPress } from '../feedback/feedback.queries.js';
import type { InteractionContext, InteractionEvent } from '../interactions/interaction-context.js';
import { ACCEPT_CLICK, CLAIM_CLICK, LOCK_CLICK, RELEASE_CLICK } from './component-clicks.statements.js';

/** The exclusive right to deliver one click to its bot. */
export interface ClickClaim {
  spaceId: string;
  fingerprint: Buffer;
  clickId: string;
  /** RFC 3339, UTC, nine fractional digits. */
  occurredAt: string;
  /** Of a feedback button: remembered when the click is accepted. */
  press?: FeedbackPress;
}

/**
 * Returns the fingerprint that identifies equal clicks. The order of the selected values does not
 * matter.
 * @param changes of feedback buttons: how often the person has changed their choice
 */
export function clickFingerprint(
  { messageId, actionId, userId }: InteractionContext,
  event: Exclude<InteractionEvent, { type: `modal.${string}` }>,
  changes?: number,
): Buffer {
  const selected = event.type === 'select.submit' ? selectedIn(event.selectedValues) : null;
  const judged = 'feedback' in event ? [event.feedback, changes] : [];
  return createHash('sha256')
    .update(JSON.stringify([messageId, actionId, event.data, userId, selected, ...judged]))
    .digest();
}

/** A single value is hashed without a list, as in releases before multi-select elements. */
function selectedIn(values: readonly string[]): string | string[] | undefined {
  return values.length === 1 ? values[0] : [...values].sort();
}

/**
 * Claims a click for as long as a bot may take to answer. Of concurrent claims, in any process, one
 * succeeds.
 * @returns undefined if the click was accepted within the last 60 seconds or is in flight
 */
export async function claimClick(
  db: Db,
  spaceId: string,
  fingerprint: Buffer,
  leaseMs: number,
): Promise<ClickClaim | undefined> {
  const claim = { spaceId, fingerprint, clickId: uuidv7() };
  const [row] = await db.query(CLAIM_CLICK, { ...claim, leaseMs });
  return row && { ...claim, occurredAt: row.occurredAt };
}

/** Marks the click as accepted, which starts the 60-second window, and remembers the feedback. */
export async function acceptClick(tx: Tx, { press, ...claim }: ClickClaim): Promise<void> {
  await tx.query(ACCEPT_CLICK, claim);
  if (press) await storeFeedback(tx, claim.spaceId, press);
}

/**
 * Returns whether the click was accepted under this claim. Waits for a transaction that is
 * committing.
 */
export async function isAcceptedClick(tx: Tx, claim: ClickClaim): Promise<boolean> {
  const [row] = await tx.query(LOCK_CLICK, claim);
  return row?.isAccepted === true;
}

/** Releases the claim of a failed click, so that it can be sent again immediately. */
export async function releaseClick(db: Db, claim: ClickClaim): Promise<void> {
  await db.query(RELEASE_CLICK, claim);
}

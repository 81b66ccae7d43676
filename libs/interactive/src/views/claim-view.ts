import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { CLAIM_VIEW, END_CLAIMED_VIEW, RELEASE_VIEW } from './views.statements.js';

/** A view that is being submitted. */
export interface ViewClaim {
  spaceId: string;
  id: string;
  claimId: string;
}

/** After this time, the claim of a crashed process expires. */
const LEASE_SECONDS = 20;

/** Claims a view for a submission; undefined if it is being submitted already or has ended. */
export async function claimView(
  db: Db,
  { spaceId, id }: { spaceId: string; id: string },
): Promise<ViewClaim | undefined> {
  const claim = { spaceId, id, claimId: uuidv7() };
  const rows = await db.query(CLAIM_VIEW, { ...claim, leaseSeconds: LEASE_SECONDS });
  return rows.length > 0 ? claim : undefined;
}

/** Makes the view usable again. */
export async function releaseView(q: Queryable, claim: ViewClaim): Promise<void> {
  await q.query(RELEASE_VIEW, { ...claim });
}

/** Ends a submitted view. */
export async function endClaimedView(tx: Tx, claim: ViewClaim): Promise<void> {
  await tx.query(END_CLAIMED_VIEW, { ...claim });
}

import { ECDH } from 'node:crypto';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { urlRefused } from '@tieline/egress';
import type { PublicEgressPolicy } from '@tieline/egress';
import { invalidField, invalidToken, notFound } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { byUser, recordChange } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { PushSubscription } from './push-subscription.entity.js';
import { ADD_SUBSCRIPTION, FORGET_OLDEST } from './push.statements.js';

/** Maximum number of devices per person. Adding one more removes the oldest. */
const MAX_SUBSCRIPTIONS = 20;

/** A browser's push subscription; keys in base64url. */
export interface NewPushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** The browser session, whose end removes the device; undefined for a bearer token. */
  session?: string | undefined;
}

/**
 * Registers a device. The same endpoint again replaces its keys and its session.
 * @returns its id.
 * @throws 400 for an endpoint that is not a public HTTPS address, or a key that cannot be used for
 * encryption. 401 if the session has ended.
 */
export async function addPushSubscription(
  db: Db,
  egress: PublicEgressPolicy,
  { spaceId, userId, ip }: UserPrincipal & { ip: string },
  { endpoint, p256dh, auth, session }: NewPushSubscription,
): Promise<string> {
  if (!isOnCurve(p256dh)) throw invalidField('keys.p256dh', 'keys.p256dh must be a point of P-256');
  // Resolves a host name, so it must run outside the transaction.
  const verdict = await egress.checkUrlResolved(endpoint);
  if (!verdict.allowed) throw urlRefused('endpoint', verdict.reason);
  return runInTx(
    db,
    async (tx) => {
      const newId = uuidv7();
      const [row] = await tx.query(ADD_SUBSCRIPTION, {
        spaceId,
        userId,
        id: newId,
        endpoint,
        p256dh,
        auth,
        sessionHash: session === undefined ? null : hashToken(session),
      });
      // The session has ended since the request arrived.
      if (!row) throw invalidToken();
      await tx.query(FORGET_OLDEST, [spaceId, userId, MAX_SUBSCRIPTIONS]);
      // Browsers register the same device repeatedly; only the first time is recorded.
      if (row.id === newId) await recordDevice(tx, { spaceId, userId, ip }, 'added', newId);
      return row.id;
    },
    { spaceId, place: userId },
  );
}

/** Checks that the 65 bytes are a point on the curve. */
function isOnCurve(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'hex', 'compressed').length > 0;
  } catch {
    return false;
  }
}

/**
 * Removes a device.
 * @throws 404 unknown, or another person's.
 */
export async function removePushSubscription(
  db: Db,
  { spaceId, userId, ip }: UserPrincipal & { ip: string },
  id: string,
): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const gone = await tx.manager.delete(PushSubscription, { spaceId, userId, id });
      if (gone.affected === 0) throw notFound();
      await recordDevice(tx, { spaceId, userId, ip }, 'removed', id);
    },
    { spaceId, place: userId },
  );
}

/**
 * Records in the audit log that a person added or removed a device. Omits the endpoint, which is a
 * secret.
 */
async function recordDevice(
  tx: Tx,
  { spaceId, userId, ip }: { spaceId: string; userId: string; ip: string },
  what: 'added' | 'removed',
  id: string,
): Promise<void> {
  const subject = { spaceId, objectType: 'push_subscription', objectId: id };
  await recordChange(tx, {
    ...byUser({ userId }, ip),
    ...{ ...subject, action: `push_subscription.${what}`, changes: {} },
  });
}

/** Lists the devices of a person, newest first; at most {@link MAX_SUBSCRIPTIONS}. */
export function listPushSubscriptions(
  db: Db,
  { spaceId, userId }: UserPrincipal,
): Promise<PushSubscription[]> {
  return db.manager.find(PushSubscription, {
    where: { spaceId, userId },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
}

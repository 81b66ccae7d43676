import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { badRequest, isUuid, notFound, pageOf } from '@tieline/platform/http';
import type { SecretBox } from '@tieline/signing';
import { IsNull, LessThan } from 'typeorm';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { tryOpenSecret } from './outgoing-secret.js';
import { FIND_SECRETS } from './outgoing-webhooks.statements.js';

/** A subscription of the space. @throws 404 when it is unknown, deleted or another space's */
export async function findSubscription(
  db: Pick<Db, 'manager'>,
  spaceId: string,
  id: string,
): Promise<OutgoingWebhook> {
  const row = await db.manager.findOneBy(OutgoingWebhook, { spaceId, id, deletedAt: IsNull() });
  if (!row) throw notFound();
  return row;
}

/** The same, with its row locked until the transaction ends. */
export async function lockSubscription(tx: Tx, spaceId: string, id: string): Promise<OutgoingWebhook> {
  const row = await tx.manager.findOne(OutgoingWebhook, {
    where: { spaceId, id, deletedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
  if (!row) throw notFound();
  return row;
}

/** A page of the space's subscriptions, newest first. @throws 400 for a bad cursor */
export async function listSubscriptions(
  db: Db,
  spaceId: string,
  { limit, cursor }: { limit: number; cursor: string },
): Promise<{ rows: OutgoingWebhook[]; nextCursor: string }> {
  if (cursor !== '' && !isUuid(cursor)) throw badRequest('invalid cursor');
  const before = cursor === '' ? {} : { id: LessThan(cursor.toLowerCase()) };
  const rows = await db.manager.find(OutgoingWebhook, {
    where: { spaceId, deletedAt: IsNull(), ...before },
    order: { id: 'DESC' },
    take: limit + 1,
  });
  return pageOf(rows, limit, ({ id }) => id);
}

/**
 * The signing secrets of several subscriptions, each decrypted once. Missing are those of deleted subscriptions, and
 * those that no known key opens: one unreadable secret must not stop the deliveries of everybody else.
 */
export async function readSecrets(
  q: Queryable,
  box: SecretBox,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  for (const { id, signing_secret } of await q.query(FIND_SECRETS, [ids])) {
    const secret = tryOpenSecret(box, id, signing_secret);
    if (secret !== undefined) secrets.set(id, secret);
  }
  return secrets;
}

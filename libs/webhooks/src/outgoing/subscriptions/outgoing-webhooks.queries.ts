import { IsNull } from 'typeorm';
import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import { findResource, listResources, lockResource } from '@tieline/spaces';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { tryOpenSecrets } from './outgoing-secret.js';
import { FIND_SECRETS } from './outgoing-webhooks.statements.js';

/** A subscription of the space. @throws 404 when it is unknown, deleted or another space's */
export function findSubscription(
  db: Pick<Db, 'manager'>,
  spaceId: string,
  id: string,
): Promise<OutgoingWebhook> {
  return findResource(db, OutgoingWebhook, { spaceId, id });
}

/** Whether the space has, or had, such a subscription: its log outlives it. @throws 404 */
export async function requireSubscriptionEver(
  db: Pick<Db, 'manager'>,
  spaceId: string,
  id: string,
): Promise<void> {
  if (!(await db.manager.existsBy(OutgoingWebhook, { spaceId, id }))) throw notFound();
}

/** A subscription of the space with its row locked until the transaction ends. */
export function lockSubscription(tx: Tx, spaceId: string, id: string): Promise<OutgoingWebhook> {
  return lockResource(tx, OutgoingWebhook, { spaceId, id });
}

/** A page of the space's subscriptions, newest first. @throws 400 for a bad cursor */
export function listSubscriptions(db: Db, spaceId: string, page: PageQuery): Promise<Page<OutgoingWebhook>> {
  return listResources(db, OutgoingWebhook, spaceId, page);
}

/** The newest `most` subscriptions of the space that are active. */
export async function activeSubscriptions(db: Db, spaceId: string, most: number): Promise<string[]> {
  const found = await db.manager.find(OutgoingWebhook, {
    select: { id: true },
    where: { spaceId, status: 'active', deletedAt: IsNull() },
    order: { id: 'DESC' },
    take: most,
  });
  return found.map(({ id }) => id);
}

/**
 * The signing secrets of several subscriptions, each decrypted once. Missing are those of deleted
 * subscriptions, and those that no known key opens: one unreadable secret must not stop the
 * deliveries of everybody else.
 */
export async function readSecrets(
  q: Queryable,
  box: SecretBox,
  ids: readonly string[],
): Promise<Map<string, LiveSecrets>> {
  const secrets = new Map<string, LiveSecrets>();
  for (const row of await q.query(FIND_SECRETS, [ids])) {
    const opened = tryOpenSecrets(box, row);
    if (opened) secrets.set(row.id, opened);
  }
  return secrets;
}

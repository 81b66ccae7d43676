import { IsNull } from 'typeorm';
import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import { findResource, listResources, lockResource } from '@tieline/spaces';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { tryOpenSecrets } from './outgoing-secret.js';
import { FIND_SECRETS } from './outgoing-webhooks.statements.js';

/**
 * Returns a subscription of the space. @throws 404 when it is unknown, deleted or belongs to
 * another space
 */
export function findSubscription(
  db: Pick<Db, 'manager'>,
  spaceId: string,
  id: string,
): Promise<OutgoingWebhook> {
  return findResource(db, OutgoingWebhook, { spaceId, id });
}

/** Checks that the space has or had the subscription, because its log outlives it. @throws 404 */
export async function requireKnownSubscription(
  db: Pick<Db, 'manager'>,
  spaceId: string,
  id: string,
): Promise<void> {
  if (!(await db.manager.existsBy(OutgoingWebhook, { spaceId, id }))) throw notFound();
}

/** Like {@link findSubscription}, and locks the row until the transaction ends. */
export function lockSubscription(tx: Tx, spaceId: string, id: string): Promise<OutgoingWebhook> {
  return lockResource(tx, OutgoingWebhook, { spaceId, id });
}

/** Returns a page of the space's subscriptions, newest first. @throws 400 for an invalid cursor */
export function listSubscriptions(db: Db, spaceId: string, page: PageQuery): Promise<Page<OutgoingWebhook>> {
  return listResources(db, OutgoingWebhook, spaceId, page);
}

/** Returns the ids of the newest `most` active subscriptions of the space. */
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
 * Returns the signing secrets of several subscriptions. Omits deleted subscriptions and secrets
 * that no known key opens, so that one unreadable secret does not stop the deliveries of others.
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

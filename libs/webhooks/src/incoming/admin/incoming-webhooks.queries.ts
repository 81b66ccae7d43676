import type { Db, Tx } from '@tieline/platform/database';
import type { Page, PageQuery } from '@tieline/platform/http';
import { findResource, listResources, lockResource } from '@tieline/spaces';
import { IncomingWebhook } from './incoming-webhook.entity.js';

/**
 * Returns a webhook of the space. @throws 404 when it is unknown, deleted or belongs to another
 * space
 */
export function findIncomingWebhook(
  db: Pick<Db, 'manager'>,
  spaceId: string,
  id: string,
): Promise<IncomingWebhook> {
  return findResource(db, IncomingWebhook, { spaceId, id });
}

/** Like {@link findIncomingWebhook}, and locks the row until the transaction ends. */
export function lockIncomingWebhook(tx: Tx, spaceId: string, id: string): Promise<IncomingWebhook> {
  return lockResource(tx, IncomingWebhook, { spaceId, id });
}

/** Returns a page of the space's webhooks, newest first. @throws 400 for an invalid cursor */
export function listIncomingWebhooks(
  db: Db,
  spaceId: string,
  page: PageQuery,
): Promise<Page<IncomingWebhook>> {
  return listResources(db, IncomingWebhook, spaceId, page);
}

import type { Db, Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import { newestFirst } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import { Recovery } from './recovery.entity.js';

/** Returns a recovery of the space. @throws 404 */
export async function findRecovery(db: Db, spaceId: string, id: string): Promise<Recovery> {
  const found = await db.manager.findOneBy(Recovery, { spaceId, id });
  if (!found) throw notFound();
  return found;
}

/**
 * Returns a page of a subscription's recoveries, newest first. @throws 400 for an invalid cursor
 */
export function listRecoveries(
  db: Db,
  spaceId: string,
  webhookId: string,
  page: PageQuery,
): Promise<Page<Recovery>> {
  return newestFirst(page, (before, take) =>
    db.manager.find(Recovery, { where: { ...before, spaceId, webhookId }, order: { id: 'DESC' }, take }),
  );
}

/**
 * Locks subscriptions in the order of their ids until the transaction ends.
 * @returns the active ones, by id
 */
export async function lockActive(
  tx: Tx,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, OutgoingWebhook>> {
  const found = new Map<string, OutgoingWebhook>();
  for (const id of [...new Set(ids)].sort()) {
    const row = await tx.manager.findOne(OutgoingWebhook, {
      where: { spaceId, id, status: 'active', deletedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    if (row) found.set(id, row);
  }
  return found;
}

import type { Db, Tx } from '@tieline/platform/database';
import { badRequest, isUuid, notFound, pageOf } from '@tieline/platform/http';
import { IsNull, LessThan } from 'typeorm';
import { IncomingWebhook } from './incoming-webhook.entity.js';

/** A webhook of the space. @throws 404 when it is unknown, deleted or another space's */
export async function findIncomingWebhook(
  db: Pick<Db, 'manager'>,
  spaceId: string,
  id: string,
): Promise<IncomingWebhook> {
  const row = await db.manager.findOneBy(IncomingWebhook, { spaceId, id, deletedAt: IsNull() });
  if (!row) throw notFound();
  return row;
}

/** The same, with its row locked until the transaction ends. */
export async function lockIncomingWebhook(tx: Tx, spaceId: string, id: string): Promise<IncomingWebhook> {
  const row = await tx.manager.findOne(IncomingWebhook, {
    where: { spaceId, id, deletedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
  if (!row) throw notFound();
  return row;
}

/** A page of the space's webhooks, newest first. @throws 400 for a bad cursor */
export async function listIncomingWebhooks(
  db: Db,
  spaceId: string,
  { limit, cursor }: { limit: number; cursor: string },
): Promise<{ rows: IncomingWebhook[]; nextCursor: string }> {
  if (cursor !== '' && !isUuid(cursor)) throw badRequest('invalid cursor');
  const before = cursor === '' ? {} : { id: LessThan(cursor.toLowerCase()) };
  const rows = await db.manager.find(IncomingWebhook, {
    where: { spaceId, deletedAt: IsNull(), ...before },
    order: { id: 'DESC' },
    take: limit + 1,
  });
  return pageOf(rows, limit, ({ id }) => id);
}

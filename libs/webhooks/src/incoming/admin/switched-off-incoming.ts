import type { Db } from '@tieline/platform/database';
import { IsNull, MoreThanOrEqual } from 'typeorm';
import { IncomingWebhook } from './incoming-webhook.entity.js';

/**
 * The incoming webhooks of a space that were switched off by themselves: the worst first, `most` at
 * most.
 * @param threshold failed requests in a row that switch one off
 */
export async function switchedOffIncoming(
  db: Db,
  spaceId: string,
  { threshold, most }: { threshold: number; most: number },
): Promise<{ id: string; name: string; kind: 'switched_off'; consecutiveFailures: number }[]> {
  const rows = await db.manager.find(IncomingWebhook, {
    select: { id: true, name: true, consecutiveFailures: true },
    where: { spaceId, deletedAt: IsNull(), isActive: false, consecutiveFailures: MoreThanOrEqual(threshold) },
    order: { consecutiveFailures: 'DESC', id: 'ASC' },
    take: most,
  });
  return rows.map(({ id, name, consecutiveFailures }) => ({
    ...{ id, name, kind: 'switched_off' as const, consecutiveFailures },
  }));
}

import type { Db } from '@tieline/platform/database';
import { IsNull, MoreThanOrEqual } from 'typeorm';
import { IncomingWebhook } from './incoming-webhook.entity.js';

/**
 * Returns the space's incoming webhooks that were disabled automatically, those with most failures
 * first.
 * @param threshold consecutive failed requests that disable a webhook
 * @param most maximum number of webhooks
 */
export async function autoDisabledIncoming(
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

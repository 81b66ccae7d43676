import { worstPaused } from '@tieline/delivery';
import type { BreakerView } from '@tieline/delivery';
import type { Db } from '@tieline/platform/database';
import { In, IsNull, MoreThanOrEqual } from 'typeorm';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';

/** A subscription whose receiver fails. */
export interface FailingSubscription {
  id: string;
  name: string;
  /** `switched_off` by itself; whoever switches one off has no need to be told. */
  kind: 'paused' | 'switched_off';
  consecutiveFailures: number;
  openUntil?: string | undefined;
}

interface Asked {
  openBreakers: ReadonlyMap<string, BreakerView>;
  /** Dead letters in a row that switch a subscription off. */
  threshold: number;
  /** Subscriptions of each kind at most. */
  most: number;
}

/**
 * The subscriptions of a space whose receivers fail: first those that are paused, then those that
 * were switched off; of each the worst first.
 */
export async function failingSubscriptions(
  db: Db,
  spaceId: string,
  { openBreakers, threshold, most }: Asked,
): Promise<FailingSubscription[]> {
  const select = { id: true, name: true, consecutiveDead: true } as const;
  const kept = { spaceId, deletedAt: IsNull() };
  const [paused, off] = await Promise.all([
    db.manager.find(OutgoingWebhook, {
      select,
      where: { ...kept, id: In([...openBreakers.keys()]), status: 'active' },
    }),
    db.manager.find(OutgoingWebhook, {
      select,
      where: { ...kept, status: 'inactive', consecutiveDead: MoreThanOrEqual(threshold) },
      order: { consecutiveDead: 'DESC', id: 'ASC' },
      take: most,
    }),
  ]);
  return [
    ...worstPaused(paused, openBreakers)
      .slice(0, most)
      .map(({ of: { id, name }, consecutiveFailures, openUntil }): FailingSubscription => ({
        ...{ id, name, kind: 'paused', consecutiveFailures, openUntil },
      })),
    ...off.map(({ id, name, consecutiveDead }): FailingSubscription => ({
      ...{ id, name, kind: 'switched_off', consecutiveFailures: consecutiveDead },
    })),
  ];
}

import { worstPaused } from '@tieline/delivery';
import type { BreakerView } from '@tieline/delivery';
import type { Db } from '@tieline/platform/database';
import { In, IsNull, MoreThanOrEqual } from 'typeorm';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';

/** A subscription whose receiver is failing. */
export interface FailingSubscription {
  id: string;
  name: string;
  /**
   * `switched_off`: disabled automatically. Subscriptions disabled by an admin are not included.
   */
  kind: 'paused' | 'switched_off';
  consecutiveFailures: number;
  openUntil?: string | undefined;
}

interface FailureQuery {
  openBreakers: ReadonlyMap<string, BreakerView>;
  /** Consecutive dead deliveries that disable a subscription. */
  threshold: number;
  /** Maximum number of subscriptions of each kind. */
  most: number;
}

/**
 * Returns the subscriptions of a space whose receivers are failing: paused ones, then disabled
 * ones, each with most failures first.
 */
export async function failingSubscriptions(
  db: Db,
  spaceId: string,
  { openBreakers, threshold, most }: FailureQuery,
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

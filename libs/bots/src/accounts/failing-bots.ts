import { worstPaused } from '@tieline/delivery';
import type { BreakerView } from '@tieline/delivery';
import type { Db } from '@tieline/platform/database';
import { In, IsNull, MoreThanOrEqual } from 'typeorm';
import { LIST_FAILING } from '../callbacks/callbacks.statements.js';
import { FAILURES_OF_NOTICE } from '../callbacks/count-failures.js';
import { Bot } from './bot.entity.js';

/** A bot with a failing push or failing callbacks. */
export interface FailingBot {
  id: string;
  name: string;
  /**
   * `paused`: its breaker is open. `switched_off`: its push was disabled after too many failures.
   * `callbacks`: it does not answer clicks and commands.
   */
  kind: 'paused' | 'switched_off' | 'callbacks';
  consecutiveFailures: number;
  openUntil?: string | undefined;
}

/** Parameters of {@link failingBots}. */
interface FailureQuery {
  /** The open breakers of the space. A bot's push has the bot's id. */
  openBreakers: ReadonlyMap<string, BreakerView>;
  /** Number of consecutive failed pushes that disables a push. */
  threshold: number;
  /** Maximum number of bots of each kind. */
  most: number;
}

/**
 * Returns the failing bots of a space: paused, disabled, and without answers, each ordered with the
 * worst first.
 */
export async function failingBots(
  db: Db,
  spaceId: string,
  { openBreakers, threshold, most }: FailureQuery,
): Promise<FailingBot[]> {
  const select = { id: true, displayName: true, pushFailures: true } as const;
  const active = { spaceId, deletedAt: IsNull(), isActive: true };
  const [paused, off, callbacks] = await Promise.all([
    db.manager.find(Bot, {
      select,
      where: { ...active, id: In([...openBreakers.keys()]), eventDeliveryMode: 'webhook' },
    }),
    db.manager.find(Bot, {
      select,
      where: { ...active, eventDeliveryMode: 'none', pushFailures: MoreThanOrEqual(threshold) },
      order: { pushFailures: 'DESC', id: 'ASC' },
      take: most,
    }),
    db.query(LIST_FAILING, [spaceId, FAILURES_OF_NOTICE, most]),
  ]);
  return [
    ...worstPaused(paused, openBreakers)
      .slice(0, most)
      .map(({ of: { id, displayName: name }, consecutiveFailures, openUntil }): FailingBot => ({
        ...{ id, name, kind: 'paused', consecutiveFailures, openUntil },
      })),
    ...off.map(({ id, displayName: name, pushFailures = 0 }): FailingBot => ({
      ...{ id, name, kind: 'switched_off', consecutiveFailures: pushFailures },
    })),
    ...callbacks.map(({ id, name, failures }): FailingBot => ({
      ...{ id, name, kind: 'callbacks', consecutiveFailures: failures },
    })),
  ];
}

import { worstPaused } from '@tieline/delivery';
import type { BreakerView } from '@tieline/delivery';
import type { Db } from '@tieline/platform/database';
import { In, IsNull, MoreThanOrEqual } from 'typeorm';
import { LIST_FAILING } from '../callbacks/callbacks.statements.js';
import { FAILURES_OF_NOTICE } from '../callbacks/count-failures.js';
import { Bot } from './bot.entity.js';

/** A bot that something goes wrong with. */
export interface FailingBot {
  id: string;
  name: string;
  /**
   * Its pushes are paused, or were switched off by themselves; or it answers no clicks and
   * commands.
   */
  kind: 'paused' | 'switched_off' | 'callbacks';
  consecutiveFailures: number;
  openUntil?: string | undefined;
}

/** What the space's bots are asked for. */
interface Asked {
  /** Of the space; a bot's push has its id. */
  openBreakers: ReadonlyMap<string, BreakerView>;
  /** Failed pushes in a row that switch a push off. */
  threshold: number;
  /** Bots of each kind at most. */
  most: number;
}

/**
 * The bots of a space that something goes wrong with: paused, switched off, and without answers; of
 * each the worst first.
 */
export async function failingBots(
  db: Db,
  spaceId: string,
  { openBreakers, threshold, most }: Asked,
): Promise<FailingBot[]> {
  const select = { id: true, displayName: true, pushFailures: true } as const;
  const kept = { spaceId, deletedAt: IsNull(), isActive: true };
  const [paused, off, callbacks] = await Promise.all([
    db.manager.find(Bot, {
      select,
      where: { ...kept, id: In([...openBreakers.keys()]), eventDeliveryMode: 'webhook' },
    }),
    db.manager.find(Bot, {
      select,
      where: { ...kept, eventDeliveryMode: 'none', pushFailures: MoreThanOrEqual(threshold) },
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

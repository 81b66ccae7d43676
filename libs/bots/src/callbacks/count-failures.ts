import type { Tx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { Bot } from '../accounts/bot.entity.js';
import type { LoggedCallback } from './ended-callback.js';
import { ENSURE_FAILURES, LOCK_FAILURES, SET_FAILURES } from './callbacks.statements.js';

/** Number of consecutive failed callbacks that raises a notice. */
export const FAILURES_OF_NOTICE = 10;

/**
 * Counts the failures of a batch, in the order in which the callbacks ended. The tenth consecutive
 * failure raises a notice, once until the next answer. The counts are locked, so that only one
 * process raises it. A bot without failures costs one statement.
 */
export async function countFailures(tx: Tx, batch: readonly LoggedCallback[]): Promise<void> {
  const bots = [...new Set(batch.map(({ botId }) => botId))].map(
    (id) => new BotBatch(batch.filter(({ botId }) => botId === id)),
  );
  if (bots.length === 0) return;
  const failing = bots.filter(({ hasFailed }) => hasFailed);
  if (failing.length > 0) await tx.query(ENSURE_FAILURES, keysOf(failing));
  const hasFailed = bots.map((bot) => bot.hasFailed);
  const stored = await tx.query(LOCK_FAILURES, [...keysOf(bots), hasFailed]);
  const before = new Map(stored.map(({ botId, inARow }) => [botId, inARow]));
  const changed = bots.filter(({ botId }) => before.has(botId));
  if (changed.length === 0) return;
  const after = changed.map((bot) => bot.countFrom(before.get(bot.botId) ?? 0));
  await tx.query(SET_FAILURES, [...keysOf(changed), after.map(({ inARow }) => inARow)]);
  for (const [n, bot] of changed.entries()) if (after[n]?.isNoticed) await raiseFailureNotice(tx, bot);
}

/** The callbacks of one bot in a batch. */
class BotBatch {
  readonly spaceId: string;
  readonly botId: string;
  readonly hasFailed: boolean;

  constructor(private readonly own: readonly LoggedCallback[]) {
    const { spaceId = '', botId = '' } = own[0] ?? {};
    [this.spaceId, this.botId] = [spaceId, botId];
    this.hasFailed = own.some(({ failed }) => failed);
  }

  countFrom(before: number): { inARow: number; isNoticed: boolean } {
    let inARow = before;
    let isNoticed = false;
    for (const { failed } of this.own) {
      inARow = failed ? inARow + 1 : 0;
      isNoticed ||= failed && inARow === FAILURES_OF_NOTICE;
    }
    return { inARow, isNoticed };
  }
}

const keysOf = (bots: readonly BotBatch[]): [string[], string[]] => [
  bots.map(({ spaceId }) => spaceId),
  bots.map(({ botId }) => botId),
];

async function raiseFailureNotice(tx: Tx, { spaceId, botId }: BotBatch): Promise<void> {
  const bot = await tx.manager.findOneBy(Bot, { spaceId, id: botId, deletedAt: IsNull() });
  if (!bot) return;
  await raiseNotice(tx, {
    spaceId,
    kind: 'bot.callbacks_failing',
    objectType: 'bot',
    objectId: botId,
    text: `Bot "${bot.displayName}" has not answered ${FAILURES_OF_NOTICE} clicks, modals or commands in a row. Its callback log shows why.`,
  });
}

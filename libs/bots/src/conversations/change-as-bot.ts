import { Injectable } from '@nestjs/common';
import { BotRates } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { lockActiveBot } from '../accounts/bots.queries.js';

/** Runs changes of conversations for bots. */
@Injectable()
export class ChangeAsBot {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /**
   * Charges the write rate and runs a change in a transaction.
   * @param place the conversation that it locks, or `channels` if it creates one
   * @throws 429; 401 the bot has been disabled in between
   */
  run<T>(bot: BotPrincipal, place: string, change: (tx: Tx) => Promise<T>): Promise<T> {
    const work = async (tx: Tx): Promise<T> => {
      await lockActiveBot(tx, bot);
      return change(tx);
    };
    return this.rates.write(bot, () => runInTx(this.db, work, { spaceId: bot.spaceId, place }));
  }
}

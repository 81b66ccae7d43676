import { Injectable } from '@nestjs/common';
import { CallbackClient } from '@tieline/egress';
import type { Callback } from '@tieline/egress';
import { Db } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { Bot } from '../accounts/bot.entity.js';
import { CallbackLog } from './callback-log.js';
import type { CallbackTrial } from './callback-trial.js';
import type { CallbackKind } from './callback.view.js';

/** A question to a bot. */
export interface BotCallback extends Callback {
  readonly spaceId: string;
  readonly botId: string;
  readonly kind: CallbackKind;
}

/** The bot gave no answer that is of use to the person who waits. */
export class NoAnswer extends Error {
  /** @param message for admins: what was wrong with the answer */
  constructor(
    message: string,
    /** Added by {@link BotCallbacks.ask}. */
    readonly told: { botName: string; kind: 'silent' | 'unreadable' } = { botName: '', kind: 'silent' },
  ) {
    super(message);
  }
}

const is2xx = (status: number | null): boolean => status !== null && status >= 200 && status <= 299;

/**
 * Asks bots for people who wait, and logs each attempt for admins once it is over (decisions,
 * 11.3).
 */
@Injectable()
export class BotCallbacks {
  constructor(
    private readonly db: Db,
    private readonly callbacks: CallbackClient,
    private readonly log: CallbackLog,
  ) {}

  /**
   * Asks a bot once and does with its answer what `use` says, which throws {@link NoAnswer} where
   * it is a bad one. Never call it inside a transaction.
   * @throws NoAnswer with the bot's name, and whether it sent a 2xx that can't be read
   * (`unreadable`) or none (`silent`); what else `use` throws
   */
  async ask<T>(
    callback: BotCallback,
    use: (answer: Record<string, unknown> | undefined) => Promise<T>,
  ): Promise<T> {
    const { spaceId, botId, kind, url } = callback;
    const at = new Date();
    const { result, attempt } = await this.callbacks.attempt(callback);
    let unusable: string | undefined;
    try {
      if (result.kind === 'failed') throw new NoAnswer(result.reason);
      return await use(result.answer);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      unusable = error.message;
      throw await this.named(error, callback, is2xx(attempt.statusCode) ? 'unreadable' : 'silent');
    } finally {
      const error = attempt.error ?? (result.kind === 'answered' ? (unusable ?? null) : null);
      this.log.add({ ...attempt, spaceId, botId, kind, url, at, error, failed: unusable !== undefined });
    }
  }

  /**
   * Asks a bot once for an admin who tries it: the attempt is logged like any other, and counts for
   * nothing.
   * @param judge throws an {@link ApiError} for an answer of no use
   */
  async try(
    callback: BotCallback,
    judge: (answer: Record<string, unknown> | undefined) => void,
  ): Promise<CallbackTrial> {
    const { spaceId, botId, kind, url } = callback;
    const at = new Date();
    const { result, attempt } = await this.callbacks.attempt(callback);
    const unusable = result.kind === 'failed' ? result.reason : refusal(() => judge(result.answer));
    const error = attempt.error ?? unusable ?? null;
    const failed = unusable !== undefined;
    this.log.add({ ...attempt, spaceId, botId, kind, url, at, error, failed, isTrial: true });
    const { statusCode, durationMs, response } = attempt;
    return { statusCode, error, durationMs, response };
  }

  private async named(
    { message }: NoAnswer,
    { spaceId, botId }: BotCallback,
    kind: NoAnswer['told']['kind'],
  ): Promise<NoAnswer> {
    const bot = await this.db.manager.findOneBy(Bot, { spaceId, id: botId }).catch(() => null);
    return new NoAnswer(message, { botName: bot?.displayName ?? '', kind });
  }
}

/** What is wrong with an answer; undefined when it is a good one. */
function refusal(judge: () => void): string | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.text;
    throw error;
  }
}

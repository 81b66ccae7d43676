import { Injectable } from '@nestjs/common';
import { CallbackClient } from '@tieline/egress';
import type { Callback } from '@tieline/egress';
import { Db } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { Bot } from '../accounts/bot.entity.js';
import { CallbackLog } from './callback-log.js';
import type { CallbackTrial } from './callback-trial.js';
import type { CallbackKind } from './callback.view.js';

/** A callback to a bot. */
export interface BotCallback extends Callback {
  readonly spaceId: string;
  readonly botId: string;
  readonly kind: CallbackKind;
}

/** Thrown when a bot gives the waiting person no usable answer. */
export class BotUnresponsiveError extends Error {
  /** @param message for admins: what was wrong with the answer */
  constructor(
    message: string,
    /** Set by {@link BotCallbacks.ask}. */
    readonly details: { botName: string; kind: 'silent' | 'unreadable' } = { botName: '', kind: 'silent' },
  ) {
    super(message);
  }
}

const is2xx = (status: number | null): boolean => status !== null && status >= 200 && status <= 299;

/** Sends callbacks to bots while people wait, and logs each attempt for admins. */
@Injectable()
export class BotCallbacks {
  constructor(
    private readonly db: Db,
    private readonly callbacks: CallbackClient,
    private readonly log: CallbackLog,
  ) {}

  /**
   * Sends one callback and passes the bot's answer to `use`, which throws
   * {@link BotUnresponsiveError} for an invalid one. Never call it inside a transaction.
   * @throws BotUnresponsiveError with the bot's name, and whether the bot sent a 2xx that cannot be
   * read (`unreadable`) or no answer (`silent`); any other error of `use`
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
      if (result.kind === 'failed') throw new BotUnresponsiveError(result.reason);
      return await use(result.answer);
    } catch (error) {
      if (!(error instanceof BotUnresponsiveError)) throw error;
      unusable = error.message;
      throw await this.withBotName(error, callback, is2xx(attempt.statusCode) ? 'unreadable' : 'silent');
    } finally {
      const error = attempt.error ?? (result.kind === 'answered' ? (unusable ?? null) : null);
      this.log.add({ ...attempt, spaceId, botId, kind, url, at, error, failed: unusable !== undefined });
    }
  }

  /**
   * Sends one callback as an admin's test. The attempt is logged, but does not count as a failure.
   * @param judge throws an {@link ApiError} for an invalid answer
   */
  async try(
    callback: BotCallback,
    judge: (answer: Record<string, unknown> | undefined) => void,
  ): Promise<CallbackTrial> {
    const { spaceId, botId, kind, url } = callback;
    const at = new Date();
    const { result, attempt } = await this.callbacks.attempt(callback);
    const unusable = result.kind === 'failed' ? result.reason : invalidReason(() => judge(result.answer));
    const error = attempt.error ?? unusable ?? null;
    const failed = unusable !== undefined;
    this.log.add({ ...attempt, spaceId, botId, kind, url, at, error, failed, isTrial: true });
    const { statusCode, durationMs, response } = attempt;
    return { statusCode, error, durationMs, response };
  }

  private async withBotName(
    { message }: BotUnresponsiveError,
    { spaceId, botId }: BotCallback,
    kind: BotUnresponsiveError['details']['kind'],
  ): Promise<BotUnresponsiveError> {
    const bot = await this.db.manager.findOneBy(Bot, { spaceId, id: botId }).catch(() => null);
    return new BotUnresponsiveError(message, { botName: bot?.displayName ?? '', kind });
  }
}

/** Returns what is wrong with an answer, or undefined if it is valid. */
function invalidReason(judge: () => void): string | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.text;
    throw error;
  }
}

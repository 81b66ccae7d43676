import type { CallbackKind, Outcome } from '@tieline/bots';
import type { Callback } from '@tieline/egress';

/** A callback to a bot. */
export interface BotCallback extends Callback {
  readonly spaceId: string;
  readonly botId: string;
  readonly kind: CallbackKind;
}

/** The place where answers of polling bots appear, in any process. */
export interface AwaitedAnswers<Result> {
  /** Waits for the outcome of a question. Call it after the commit that queued the question. */
  outcome(question: { spaceId: string; id: string }): Promise<Outcome<Result>>;
}

/**
 * How a question is sent, by the mode that the bot has in the sending transaction.
 *
 * - `queued`: in the bot's queue, and the answer comes later.
 * - `awaited`: in the bot's queue, and the answer may come while the person waits.
 * - `callback`: to be sent to an address of the bot.
 * - `unreachable`: the bot has left poll mode and has no address.
 */
export type SentQuestion<Result> =
  | { kind: 'queued' }
  | { kind: 'awaited'; spaceId: string; id: string; answers: AwaitedAnswers<Result> }
  | { kind: 'callback'; botName: string; callback: BotCallback }
  | { kind: 'unreachable'; botName: string };

/** Result of an admin's test callback. */
export interface CallbackTrial {
  /** Null if no response arrived. */
  statusCode: number | null;
  /** Why there was no answer, or what is wrong with it; null for a valid answer. */
  error: string | null;
  durationMs: number;
  /** The first 4 KiB of the response. */
  response: string;
}

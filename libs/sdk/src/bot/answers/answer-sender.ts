import type { Answer } from './answer.js';
import type { LateAnswers } from './late-answers.js';

/**
 * SettleReason the first answer must be sent now. `end`: the handler has ended. `later`: it called
 * `later()`. `deadline`: the time limit is near, or a second answer follows.
 */
export type SettleReason = 'end' | 'later' | 'deadline';

/** Sends the first answer to an activity. Each connector has its own implementation. */
export interface AnswerSender {
  /** Time limit for the first answer, counted from the arrival. Absent: no limit. */
  readonly answerWithinMs?: number;
  /** Who retries an activity whose handler failed: the bot (`here`), the server, or `none`. */
  readonly retries: 'here' | 'server' | 'none';
  /** Whether forms and errors can still be answered after the time limit. */
  readonly canRespond: boolean;
  /**
   * Sends the first answer. Undefined: there is none yet.
   * @returns false when nothing was sent, so that an answer may still be sent this way
   */
  settle(answer: Answer | undefined, why: SettleReason, late: LateAnswers): Promise<boolean>;
}

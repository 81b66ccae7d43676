import type { Answer } from './answer.js';
import type { LateAnswers } from './late-answers.js';

/**
 * Why the one answer that somebody waits for is wanted now: the handler has ended, it said
 * `later()`, or it is still at work and the person's patience ends (a second answer wants the first
 * one out of the way, too).
 */
export type Why = 'end' | 'later' | 'deadline';

/** The way back to where a happening came from. Each form of delivery has its own. */
export interface Door {
  /** How long somebody waits for the answer, from the arrival on; absent: nobody does. */
  readonly patienceMs?: number;
  /** Who brings a happening again whose handler failed: the bot itself, the server, or nobody. */
  readonly retries: 'here' | 'server' | 'nobody';
  /** Whether forms and errors can be answered when nobody waits any more. */
  readonly canRespond: boolean;
  /**
   * Passes the first answer on; undefined: there is none (yet).
   * @returns false when nothing was passed on, so that an answer may still come this way
   */
  settle(answer: Answer | undefined, why: Why, late: LateAnswers): Promise<boolean>;
}

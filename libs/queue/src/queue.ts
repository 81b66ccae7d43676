/**
 * Coalesced wake-ups and timers of the processors ({@link Duty}). The work itself is in Postgres;
 * this only says "look now" or "look at t". Wake after the commit, never inside the transaction.
 * The ticks of the duty make up for a lost wake-up, so no call takes longer than two seconds or
 * throws.
 *
 * A queue is named as in `BullModule.registerQueue({ name })`; the module that wakes it registers
 * it too.
 */
export abstract class Queue {
  /**
   * Requests one run of the queue's processor that starts after this call. At most one wake-up per
   * queue is pending over all processes, and one is being sent from this process: further calls
   * share it.
   *
   * @returns false when the server could not be reached (counted, never thrown)
   */
  abstract wake(queue: string): Promise<boolean>;

  /**
   * Requests a run at `at` or up to 250 ms later (up to 1 s later when `at` is over a minute away).
   * Calls for the same slot share a timer. A time in the past is a {@link wake}.
   *
   * @returns false when the server could not be reached (counted, never thrown)
   */
  abstract wakeAt(queue: string, at: Date): Promise<boolean>;

  /**
   * Requests the run of a tick. Every process with the duty calls it at the tick; the first call
   * over all processes counts.
   *
   * @returns false when the server could not be reached (counted, never thrown)
   */
  abstract tick(queue: string, everyMs: number): Promise<boolean>;

  /** Resolves when the server answers, throws otherwise (for readiness). At most 2 s. */
  abstract check(): Promise<void>;
}

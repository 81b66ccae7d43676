/**
 * Coalesced wake-ups and timers of the processors ({@link Duty}). Postgres remembers what there is
 * to do; this only says "look now" or "look at t". Wake after the commit, never inside the
 * transaction. A lost wake-up is made up for by the ticks of the duty, so that nothing here is
 * waited for longer than two seconds and nothing throws.
 *
 * A queue is named as in `BullModule.registerQueue({ name })`; the module that wakes it registers
 * it too.
 */
export abstract class Queue {
  /**
   * Asks for one run of the queue's processor that starts after this call. At most one wake-up per
   * queue is pending in all processes together, and one on its way from this process: further calls
   * share it.
   *
   * @returns false when the server could not be reached (counted, never thrown)
   */
  abstract wake(queue: string): Promise<boolean>;

  /**
   * Asks for a run at `at` or up to 250 ms later (up to 1 s later when `at` is over a minute away).
   * Calls that fall into the same slot are one timer. A moment that has passed is a {@link wake}.
   *
   * @returns false when the server could not be reached (counted, never thrown)
   */
  abstract wakeAt(queue: string, at: Date): Promise<boolean>;

  /** Resolves when the server answers, throws otherwise (for readiness). At most 2 s. */
  abstract check(): Promise<void>;
}

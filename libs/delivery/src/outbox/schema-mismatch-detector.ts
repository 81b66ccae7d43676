import type { Findings } from './planning/quarantine.js';

/** SQLSTATE class of statements that don't match the schema or lack permissions. */
const DOES_NOT_FIT = /^42[0-9A-Z]{3}$/;

/** No event can be planned because program and schema do not match. No event is rejected. */
export class SchemaMismatch extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`no event can be planned, because program and schema do not fit: ${reason}`, { cause });
  }
}

/**
 * Distinguishes an event that makes a statement fail with SQLSTATE class 42 from a schema that does
 * not match the program. With a mismatch every event fails. It is assumed until an event could be
 * planned after the first such failure.
 */
export class SchemaMismatchDetector {
  private planned = 0;
  /** Number of batches that had been planned when the mismatch was first suspected. */
  private since: number | undefined;

  /** Records that events were planned. */
  confirmHealthy(): void {
    this.planned += 1;
  }

  /** Ends the suspicion after everything could be planned and no space is held. */
  reset(): void {
    this.since = undefined;
  }

  /** Progress of planning, for {@link classify}. */
  get epoch(): number {
    return this.planned;
  }

  /**
   * Returns the faults that are the events' own.
   * @param begunAt the {@link epoch} before the search for them
   */
  classify<E>(
    faults: Findings<E>['faults'],
    begunAt: number,
  ): { own: Findings<E>['faults']; mismatch?: SchemaMismatch } {
    const unfit = faults.filter(({ error }) =>
      DOES_NOT_FIT.test(String((error as { code?: unknown } | null)?.code)),
    );
    const [first] = unfit;
    if (!first || this.planned > begunAt) return { own: faults };
    this.since ??= this.planned;
    if (this.planned > this.since) return { own: faults };
    return {
      own: faults.filter((fault) => !unfit.includes(fault)),
      mismatch: new SchemaMismatch(first.error),
    };
  }
}

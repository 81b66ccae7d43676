import type { Findings } from './quarantine.js';

/** SQLSTATE of statements that don't fit the schema, or may not be used. */
const DOES_NOT_FIT = /^42[0-9A-Z]{3}$/;

/**
 * Nothing can be planned, by what the database says because of our schema and not of the events:
 * nothing is set aside.
 */
export class SchemaMismatch extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`no event can be planned, because program and schema do not fit: ${reason}`, { cause });
  }
}

/**
 * Tells an event that makes a statement wrong (SQLSTATE class 42) from a schema that does not fit
 * the program: with the latter every event fails. As long as nothing could be planned since the
 * first such failure it is taken for the schema.
 */
export class SchemaMismatchDetector {
  private planned = 0;
  /** How many batches had been planned when the doubt arose. */
  private since: number | undefined;

  /** Events were planned. */
  confirmHealthy(): void {
    this.planned += 1;
  }

  /** Everything could be planned, and nobody is held. */
  reset(): void {
    this.since = undefined;
  }

  /** How far planning had come, for {@link classify}. */
  get epoch(): number {
    return this.planned;
  }

  /**
   * Which of these are the events' own faults.
   * @param begunAt the {@link epoch} before the look at them
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

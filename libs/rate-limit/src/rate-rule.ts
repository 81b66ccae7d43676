/**
 * One limit: at most `limit` hits of `key` in a window of `windowMs`, which starts at the first
 * hit.
 */
export interface RateRule {
  /** What is counted, e.g. `writes:<caller>`. In a call each key appears once. */
  readonly key: string;
  readonly limit: number;
  /** Milliseconds; always the same for one key. */
  readonly windowMs: number;
}

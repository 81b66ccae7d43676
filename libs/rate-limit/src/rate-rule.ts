/**
 * One limit: at most `limit` hits of `key` in a window of `windowMs`, which starts at the first
 * hit.
 */
export interface RateRule {
  /** The counted key, e.g. `writes:<caller>`. A call has each key at most once. */
  readonly key: string;
  readonly limit: number;
  /** Milliseconds; always the same for one key. */
  readonly windowMs: number;
}

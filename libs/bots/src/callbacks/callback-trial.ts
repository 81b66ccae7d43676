/** What came of a callback by which an admin tries a bot. */
export interface CallbackTrial {
  /** Null when no answer came. */
  statusCode: number | null;
  /** Why there was no answer, or what is wrong with it; null when it is a good one. */
  error: string | null;
  durationMs: number;
  /** The first 4 KiB of the answer. */
  response: string;
}

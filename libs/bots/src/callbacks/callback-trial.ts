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

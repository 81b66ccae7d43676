/** Result of a wait: an answer that was processed, an invalid one, or none yet. */
export type Outcome =
  { kind: 'answered'; result: unknown } | { kind: 'failed'; botName: string } | { kind: 'later' };

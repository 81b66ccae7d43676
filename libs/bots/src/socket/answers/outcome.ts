/**
 * What came of an acknowledgement: an answer that was carried out, one that is no good, or none.
 */
export type Outcome =
  { kind: 'answered'; result: unknown } | { kind: 'failed'; botName: string } | { kind: 'later' };

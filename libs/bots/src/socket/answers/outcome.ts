/**
 * The outcome of a question to a bot: an answer that was processed, an invalid or missing one, or
 * none yet.
 */
export type Outcome<Result = unknown> =
  | { kind: 'answered'; result: Result }
  /** `isSilent`: the bot sent nothing, rather than an answer that cannot be read. */
  | { kind: 'failed'; botName: string; isSilent?: boolean }
  | { kind: 'later' };

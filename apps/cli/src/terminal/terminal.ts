/** Where a command is run: what it reads, writes and knows of its surroundings. */
export interface Terminal {
  /** The result, on standard output. */
  out(line: string): void;
  /** What is said beside the result, on standard error. */
  err(line: string): void;
  /**
   * A line that replaces itself, on standard error and only on a terminal; undefined takes it away.
   */
  progress(line: string | undefined): void;
  /** Everything that is piped in. */
  input(): Promise<string>;
  /**
   * Asks the person; hidden: what is typed is not shown. Piped in, the first line is the answer.
   */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** What is typed or piped in, line by line, until its end or Ctrl-C. */
  lines(): AsyncIterable<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths begin. */
  readonly folder: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The environment of a command: input, output, folder and cancellation. */
export interface Terminal {
  /** Prints a result to standard output. */
  out(line: string): void;
  /** Prints a note to standard error. */
  err(line: string): void;
  /** Prints a line that replaces itself, only on terminals. Undefined removes it. */
  progress(line: string | undefined): void;
  /** Reads everything that is piped in. */
  input(): Promise<string>;
  /**
   * Asks the user a question. `hidden` does not show the input. Piped input answers with its first
   * line.
   */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** Reads lines that are typed or piped in, until the end or Ctrl-C. */
  lines(): AsyncIterable<string>;
  /** Whether a person types the input. */
  readonly isInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base folder of relative paths. */
  readonly folder: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

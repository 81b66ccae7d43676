import type { Terminal } from '../terminal/terminal.js';
import type { FailureReport } from './failures.js';
import { fields, table } from './table.js';
import type { Column } from './table.js';

/**
 * Prints results: tables and lines for people, one JSON document per result for programs
 * (`--json`).
 */
export class Printer {
  constructor(
    private readonly terminal: Terminal,
    readonly isJson: boolean,
  ) {}

  /** Prints a list. Programs receive the entries unchanged. */
  list<T>(rows: readonly T[], columns: readonly Column<T>[], nothing = 'none'): void {
    if (this.isJson) return this.terminal.out(JSON.stringify(rows, undefined, 2));
    if (rows.length === 0) return this.terminal.err(nothing);
    for (const line of table(rows, columns)) this.terminal.out(line);
  }

  /** Prints one resource. */
  show(entry: object): void {
    if (this.isJson) return this.terminal.out(JSON.stringify(entry, undefined, 2));
    for (const line of fields(entry as Record<string, unknown>)) this.terminal.out(line);
  }

  /**
   * Prints one event of a stream: one line, or one line of JSON. A text with line breaks cannot
   * pass for further events.
   */
  event(entry: object, line: string): void {
    this.terminal.out(this.isJson ? JSON.stringify(entry) : line.replaceAll('\n', '\\n'));
  }

  /** Prints what was done: a sentence for people, an object for programs. */
  done(entry: object, sentence: string): void {
    this.terminal.out(this.isJson ? JSON.stringify(entry, undefined, 2) : sentence);
  }

  /** Prints a note next to the result. */
  note(line: string): void {
    this.terminal.err(line);
  }

  /** Prints an error to standard error, in either format. */
  failure({ exitCode, ...report }: FailureReport): void {
    if (this.isJson) return this.terminal.err(JSON.stringify({ error: report, exit_code: exitCode }));
    this.terminal.err(`error: ${report.message}`);
    if (report.requestId) this.terminal.err(`  request id: ${report.requestId}`);
    if (report.hint) this.terminal.err(`  ${report.hint}`);
  }
}

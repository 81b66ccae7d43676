import type { Terminal } from '../terminal/terminal.js';
import type { Told } from './failures.js';
import { fields, table } from './table.js';
import type { Column } from './table.js';

/**
 * Shows results: to people as tables and lines, with `--json` to programs as one JSON document per
 * result.
 */
export class Printer {
  constructor(
    private readonly terminal: Terminal,
    readonly isJson: boolean,
  ) {}

  /** A list; programs get the entries as they are. */
  list<T>(rows: readonly T[], columns: readonly Column<T>[], nothing = 'none'): void {
    if (this.isJson) return this.terminal.out(JSON.stringify(rows, undefined, 2));
    if (rows.length === 0) return this.terminal.err(nothing);
    for (const line of table(rows, columns)) this.terminal.out(line);
  }

  /** One thing. */
  show(entry: object): void {
    if (this.isJson) return this.terminal.out(JSON.stringify(entry, undefined, 2));
    for (const line of fields(entry as Record<string, unknown>)) this.terminal.out(line);
  }

  /**
   * Something out of a flow that goes on: one line, of JSON for programs. Text of several lines
   * can't pass for further events.
   */
  event(entry: object, line: string): void {
    this.terminal.out(this.isJson ? JSON.stringify(entry) : line.replaceAll('\n', '\\n'));
  }

  /** What was done: a sentence for people, an object for programs. */
  done(entry: object, sentence: string): void {
    this.terminal.out(this.isJson ? JSON.stringify(entry, undefined, 2) : sentence);
  }

  /** Beside the result. */
  note(line: string): void {
    this.terminal.err(line);
  }

  /** What went wrong, on standard error in either form. */
  failure({ exitCode, ...told }: Told): void {
    if (this.isJson) return this.terminal.err(JSON.stringify({ error: told, exit_code: exitCode }));
    this.terminal.err(`error: ${told.message}`);
    if (told.requestId) this.terminal.err(`  request id: ${told.requestId}`);
    if (told.hint) this.terminal.err(`  ${told.hint}`);
  }
}

import { run } from '@tieline/cli';
import type { Terminal } from '@tieline/cli';

/** The result of a command. */
export interface CommandResult {
  code: number;
  out: string;
  err: string;
  /** Its JSON output with `--json`. */
  json: any;
}

/** A terminal that records output and answers questions with prepared input. */
export class RecordingTerminal implements Terminal {
  readonly written: string[] = [];
  readonly errors: string[] = [];
  readonly stop = new AbortController();
  readonly signal = this.stop.signal;
  readonly isInteractive = false;

  constructor(
    readonly env: Record<string, string>,
    readonly folder: string,
    private readonly piped = '',
    private readonly typed: AsyncIterable<string> = (async function* () {})(),
  ) {}

  out(line: string): void {
    this.written.push(line);
  }

  err(line: string): void {
    this.errors.push(line);
  }

  progress(): void {}

  async *lines(): AsyncGenerator<string> {
    yield* this.typed;
  }

  input(): Promise<string> {
    return Promise.resolve(this.piped);
  }

  ask(): Promise<string> {
    return Promise.resolve(this.piped.split('\n')[0]!);
  }

  /** Runs one command line to its end. */
  async run(argv: string[]): Promise<CommandResult> {
    const code = await run(argv, this);
    const out = this.written.join('\n');
    return {
      code,
      out,
      err: this.errors.join('\n'),
      json: argv.includes('--json') && out ? JSON.parse(out) : undefined,
    };
  }
}

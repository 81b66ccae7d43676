import { run } from '@tieline/cli';
import type { Terminal } from '@tieline/cli';

/** What a command left behind. */
export interface Ended {
  code: number;
  out: string;
  err: string;
  /** What it said as JSON, with `--json`. */
  json: any;
}

/** A terminal that keeps what is written, and answers questions with what was given. */
export class RecordingTerminal implements Terminal {
  readonly lines: string[] = [];
  readonly errors: string[] = [];
  readonly stop = new AbortController();
  readonly signal = this.stop.signal;

  constructor(
    readonly env: Record<string, string>,
    readonly folder: string,
    private readonly piped = '',
  ) {}

  out(line: string): void {
    this.lines.push(line);
  }

  err(line: string): void {
    this.errors.push(line);
  }

  progress(): void {}

  input(): Promise<string> {
    return Promise.resolve(this.piped);
  }

  ask(): Promise<string> {
    return Promise.resolve(this.piped.split('\n')[0]!);
  }

  /** Runs one command line to its end. */
  async run(argv: string[]): Promise<Ended> {
    const code = await run(argv, this);
    const out = this.lines.join('\n');
    return {
      code,
      out,
      err: this.errors.join('\n'),
      json: argv.includes('--json') && out ? JSON.parse(out) : undefined,
    };
  }
}

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** Output streams. Tests replace them. */
interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/**
 * The terminal of this process. Everything printed passes through `printable` here, so the only
 * escape sequences are those of this file.
 */
export class ProcessTerminal implements Terminal {
  readonly env = process.env;
  readonly folder = process.env.INIT_CWD ?? process.cwd();
  readonly #stop = new AbortController();
  #progress = '';
  #piped: Promise<string> | undefined;

  constructor(private readonly streams: Streams = process) {
    if (streams === process)
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => this.#stop.abort());
    // A closed pipe, such as `| head`, ends the command silently.
    this.streams.stdout.on('error', () => process.exit(0));
  }

  get isInteractive(): boolean {
    return process.stdin.isTTY;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  out(line: string): void {
    this.#wipe();
    this.streams.stdout.write(`${printable(line)}\n`);
    this.#draw();
  }

  err(line: string): void {
    this.#wipe();
    this.streams.stderr.write(`${printable(line)}\n`);
    this.#draw();
  }

  progress(line: string | undefined): void {
    if (!this.streams.stderr.isTTY) return;
    this.#wipe();
    this.#progress = printable(line ?? '');
    this.#draw();
  }

  input(): Promise<string> {
    return (this.#piped ??= text(process.stdin));
  }

  async ask(question: string, { hidden = false } = {}): Promise<string> {
    if (!process.stdin.isTTY) return (await this.input()).split('\n')[0]!.trim();
    const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
    this.streams.stderr.write(printable(question));
    const reader = createInterface({
      input: process.stdin,
      output: hidden ? muted : this.streams.stderr,
      terminal: true,
    });
    try {
      return await new Promise((resolve) => {
        reader.once('line', (line) => resolve(line.trim()));
        reader.once('close', () => resolve(''));
      });
    } finally {
      reader.close();
      if (hidden) this.streams.stderr.write('\n');
    }
  }

  async *lines(): AsyncGenerator<string> {
    const reader = createInterface({ input: process.stdin });
    this.signal.addEventListener('abort', () => reader.close(), { once: true });
    yield* reader;
  }

  #wipe(): void {
    if (this.#progress) this.streams.stderr.write('\r\u001b[K');
  }

  #draw(): void {
    if (this.#progress) this.streams.stderr.write(this.#progress);
  }
}

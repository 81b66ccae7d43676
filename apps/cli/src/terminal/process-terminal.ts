import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from './terminal.js';

/** The terminal that this process was started in. */
export class ProcessTerminal implements Terminal {
  readonly env = process.env;
  readonly folder = process.env.INIT_CWD ?? process.cwd();
  readonly #stop = new AbortController();
  #progress = '';
  #piped: Promise<string> | undefined;

  constructor() {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => this.#stop.abort());
    // A closed pipe, as of `| head`, ends the command without a word.
    process.stdout.on('error', () => process.exit(0));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  out(line: string): void {
    this.#wipe();
    process.stdout.write(`${line}\n`);
    this.#draw();
  }

  err(line: string): void {
    this.#wipe();
    process.stderr.write(`${line}\n`);
    this.#draw();
  }

  progress(line: string | undefined): void {
    if (!process.stderr.isTTY) return;
    this.#wipe();
    this.#progress = line ?? '';
    this.#draw();
  }

  input(): Promise<string> {
    return (this.#piped ??= text(process.stdin));
  }

  async ask(question: string, { hidden = false } = {}): Promise<string> {
    if (!process.stdin.isTTY) return (await this.input()).split('\n')[0]!.trim();
    const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
    process.stderr.write(question);
    const reader = createInterface({
      input: process.stdin,
      output: hidden ? muted : process.stderr,
      terminal: true,
    });
    try {
      return await new Promise((resolve) => {
        reader.once('line', (line) => resolve(line.trim()));
        reader.once('close', () => resolve(''));
      });
    } finally {
      reader.close();
      if (hidden) process.stderr.write('\n');
    }
  }

  async *lines(): AsyncGenerator<string> {
    const reader = createInterface({ input: process.stdin });
    this.signal.addEventListener('abort', () => reader.close(), { once: true });
    yield* reader;
  }

  #wipe(): void {
    if (this.#progress) process.stderr.write('\r\u001b[K');
  }

  #draw(): void {
    if (this.#progress) process.stderr.write(this.#progress);
  }
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { eventually } from '../eventually.js';
import { endWithThisProcess } from './lifeline.js';

/** A program that a test starts. It ends with the test's process, too. */
export class ChildProgram {
  /** What it has written, to both streams. */
  output = '';
  /** Settles when it has ended, with its exit code; with null when a signal ended it. */
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;
  private hasEnded = false;

  /** Without `env` it gets this process's environment. */
  constructor(
    command: string,
    args: readonly string[],
    options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
  ) {
    this.child = spawn(command, args, options);
    endWithThisProcess(this.child);
    for (const part of [this.child.stdout, this.child.stderr])
      part?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.once('error', (error) => (this.output += String(error)));
    this.exited = new Promise((resolve) => {
      this.child.once('close', (code) => {
        this.hasEnded = true;
        resolve(code);
      });
    });
  }

  /** Waits until it has written that. @throws Error with all that it wrote, when it ends without */
  async hasWritten(words: RegExp): Promise<void> {
    await eventually(() => words.test(this.output) || this.hasEnded);
    if (!words.test(this.output)) throw new Error(`ended without ${words}:\n${this.output}`);
  }

  /** Writes to its standard input. */
  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** @returns its exit code; null when the signal ended it */
  end(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { eventually } from '../eventually.js';
import { endWithThisProcess } from './lifeline.js';

/** A program started by a test. It also ends when the test process exits. */
export class ChildProgram {
  /** Output so far, of both streams. */
  output = '';
  /** Resolves with the exit code when it has ended, or with null if a signal ended it. */
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;
  private hasEnded = false;

  /** Starts the program. Without `env` it inherits this process's environment. */
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

  /** Waits until the output matches. @throws Error with all output if the program ends before */
  async hasWritten(words: RegExp): Promise<void> {
    await eventually(() => words.test(this.output) || this.hasEnded, { timeoutMs: 60_000 });
    if (!words.test(this.output)) throw new Error(`ended without ${words}:\n${this.output}`);
  }

  /** Writes to its standard input. */
  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** @returns its exit code; null if the signal ended it */
  end(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

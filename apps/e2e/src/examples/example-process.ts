import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tieline/testing';

/** A program of `examples`, as people start it. */
export class ExampleProcess {
  /** What it has written. */
  output = '';

  private constructor(private readonly child: ChildProcess) {
    for (const part of [child.stdout, child.stderr])
      part?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Starts it and waits until it says that it is ready. Nothing of this process's environment is passed on. */
  static async start(
    script: string,
    env: Record<string, string>,
    flags: string[] = [],
  ): Promise<ExampleProcess> {
    const example = new ExampleProcess(spawn(process.execPath, [...flags, pathOf(script)], { env }));
    await eventually(() => example.ended || /\bready\b/.test(example.output));
    if (example.ended) throw new Error(`${script} ended:\n${example.output}`);
    return example;
  }

  private get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (this.ended) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }
}

/** Where a file of `examples` is. */
export const pathOf = (script: string): string =>
  fileURLToPath(new URL(`../../../../examples/${script}`, import.meta.url));

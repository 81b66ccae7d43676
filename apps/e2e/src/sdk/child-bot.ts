import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tieline/testing';

/** A bot in a process of its own, so that it can be killed. */
export class ChildBot {
  /** What it has written. */
  output = '';
  readonly exited: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    for (const part of [child.stdout, child.stderr])
      part?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exited = new Promise((done) => child.once('exit', (code) => done(code)));
  }

  /** Starts a script, named from the top folder of the repository, and waits until it is ready. */
  static async start(script: string, env: Record<string, string>): Promise<ChildBot> {
    const path = fileURLToPath(new URL(`../../../../${script}`, import.meta.url));
    const bot = new ChildBot(spawn(process.execPath, [path], { env }));
    await eventually(() => expect(bot.output).toContain('ready:'));
    return bot;
  }

  /** @returns its exit code; null when the signal ended it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

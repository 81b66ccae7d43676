import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import { MAIN_FILES, RUNS_TYPESCRIPT } from './scaffold.js';

const CANDIDATES = [...Object.values(MAIN_FILES), 'bot.js', 'main.py', 'index.mjs', 'index.ts', 'index.js'];
const SETTLE_MS = 100;
const GRACE_MS = 3_000;
/** Log line of the TypeScript and Python SDKs once the bot can be reached. */
const READY = /\bready: .+ by \w+$/;

/** How to start a bot. */
export interface BotCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The file to watch. The bot restarts when it changes. */
  readonly file?: string;
}

/**
 * Returns the command for the bot in a folder: a file with a conventional name, else the start
 * script of its package.json.
 *
 * @throws Failure for TypeScript that nothing installed can run
 */
export async function botIn(folder: string): Promise<BotCommand | undefined> {
  const file = CANDIDATES.find((name) => existsSync(path.join(folder, name)));
  if (file?.endsWith('.py')) return { command: 'python3', args: [file], file };
  if (file) return { command: process.execPath, args: [...loaderFor(file, folder), file], file };
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { scripts } = JSON.parse(text) as { scripts?: { start?: string } };
  return scripts?.start ? { command: '/bin/sh', args: ['-c', scripts.start] } : undefined;
}

function loaderFor(file: string, folder: string): string[] {
  if (!file.endsWith('.ts') || RUNS_TYPESCRIPT) return [];
  try {
    createRequire(path.join(folder, 'package.json')).resolve('tsx');
    return ['--import', 'tsx'];
  } catch {
    throw new Failure(
      `Node.js ${process.versions.node} does not run ${file} as it stands`,
      EXIT.failed,
      `\`npm install --save-dev tsx\` in ${folder}, or Node.js 22.18 or later`,
    );
  }
}

/** Runs a bot next to a simulator and restarts it when its file changes. */
export class ChildBot {
  #child: ChildProcess | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;
  #wasReady = false;

  constructor(
    private readonly bot: BotCommand,
    private readonly options: {
      readonly folder: string;
      readonly env: Readonly<Record<string, string | undefined>>;
      readonly say: (line: string) => void;
      /** Called the first time the bot reports that it is ready. */
      readonly ready: () => void;
      /**
       * Ensures that a process ends with this one.
       *
       * @returns a function to call when the process has ended
       */
      readonly tie: (pid: number) => () => void;
    },
  ) {}

  start(): void {
    this.#spawn();
    const { file } = this.bot;
    if (!file) return;
    // Watches the folder because editors replace files instead of writing to them.
    this.#watcher = watch(this.options.folder, (_kind, name) => {
      if (name !== file) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#restart(), SETTLE_MS);
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#watcher?.close();
    clearTimeout(this.#timer);
    await this.#end();
  }

  async #restart(): Promise<void> {
    this.options.say('the bot has changed, starting it again');
    await this.#end();
    if (!this.#stopping) this.#spawn();
  }

  #spawn(): void {
    const { folder, env, say, tie } = this.options;
    const child = spawn(this.bot.command, this.bot.args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const release = child.pid ? tie(child.pid) : undefined;
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#hear(line));
    child.once('error', (error) => say(`[bot] ${error.message}`));
    child.once('exit', (code, signal) => {
      release?.();
      if (this.#child === child) this.#child = undefined;
      if (!this.#stopping && signal !== 'SIGTERM') say(`[bot] ended with ${signal ?? `code ${code}`}`);
    });
  }

  #hear(line: string): void {
    this.options.say(`[bot] ${line}`);
    if (this.#wasReady || !READY.test(line)) return;
    this.#wasReady = true;
    this.options.ready();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(timer);
  }
}

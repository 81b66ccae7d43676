/** One of our programs as a child process: started again when it dies, drained when we stop. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { tieToThisProcess } from '../lifeline.mjs';
import { openLog } from './log-file.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

const DRAIN_MS = 15_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const STEADY_MS = 30_000;
const PATIENCE_MS = 15_000;

export class Program {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #exited = Promise.resolve();
  /** @type {Awaited<ReturnType<typeof openLog>> | undefined} */
  #log;
  #stopping = false;
  #wasReady = false;
  #pause = FIRST_PAUSE_MS;

  /**
   * @param {object} options
   * @param {string} options.name
   * @param {string} options.script
   * @param {string} options.cwd
   * @param {NodeJS.ProcessEnv} options.env
   * @param {string} options.url base address of its health endpoints
   * @param {string} options.logFile
   * @param {(line: string) => void} options.say
   * @param {() => void} options.onSpawn called with every new process
   */
  constructor(options) {
    this.options = options;
  }

  /** @returns {number | undefined} */
  get pid() {
    return this.#child?.pid;
  }

  /** Starts it; from now on it is kept running. */
  start() {
    const { name, logFile, say } = this.options;
    this.#log = openLog(logFile, (line) => say(`[${name}] ${line}`));
    this.#spawn();
  }

  /**
   * Waits until `/health/ready` answers 200.
   * @param {AbortSignal} signal
   * @throws when the program ends before it has been ready once: it would fail again the same way
   */
  async ready(signal) {
    let patience = Date.now() + PATIENCE_MS;
    while (!(await this.#isReady())) {
      signal.throwIfAborted();
      if (Date.now() > patience) {
        this.options.say(`the ${this.options.name} is not ready yet, see ${this.options.logFile}`);
        patience += PATIENCE_MS;
      }
      if (this.#child?.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`the ${this.options.name} does not start:\n${this.#log?.tail(30)}`);
      }
      await sleep(50);
    }
    this.#wasReady = true;
  }

  /** Lets it finish what is in flight, at most 15 seconds, and waits for its end. */
  async stop() {
    this.#stopping = true;
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM');
      const inTime = await Promise.race([
        this.#exited.then(() => true),
        sleep(DRAIN_MS, false, { ref: false }),
      ]);
      if (!inTime) {
        this.options.say(`the ${this.options.name} has not drained in ${DRAIN_MS / 1000} s, ending it`);
        this.#child.kill('SIGKILL');
      }
      await this.#exited;
    }
    this.#log?.close();
    this.#log = undefined;
  }

  /** Kills it immediately. */
  kill() {
    this.#stopping = true;
    this.#child?.kill('SIGKILL');
  }

  #spawn() {
    const { script, cwd, env, onSpawn } = this.options;
    // Detached: Ctrl-C in the terminal must reach us alone, we pass it on in the right order.
    const output = this.#log?.fd ?? 'ignore';
    const child = spawn(process.execPath, [...NODE_FLAGS, script], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', output, output],
    });
    this.#child = child;
    const startedAt = Date.now();
    const lifeline = tieToThisProcess(child.pid, { graceSeconds: DRAIN_MS / 1000 });
    this.#exited = new Promise((settle) => {
      child.once('exit', (code, signal) => {
        lifeline.release();
        settle(undefined);
        if (this.#wasReady && !this.#stopping)
          void this.#restart(signal ?? `code ${code}`, Date.now() - startedAt);
      });
    });
    onSpawn();
  }

  /** @param {string} reason @param {number} livedMs */
  async #restart(reason, livedMs) {
    if (livedMs > STEADY_MS) this.#pause = FIRST_PAUSE_MS;
    this.options.say(
      `the ${this.options.name} ended (${reason}), starting it again in ${this.#pause / 1000} s`,
    );
    await sleep(this.#pause, undefined, { ref: false });
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    if (!this.#stopping) this.#spawn();
  }

  async #isReady() {
    try {
      const response = await fetch(`${this.options.url}/health/ready`, {
        signal: AbortSignal.timeout(2_000),
      });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  }
}

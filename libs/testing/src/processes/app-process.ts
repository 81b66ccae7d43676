import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnswerFaults, FAULTS_VARIABLE } from '../answers/answer-faults.js';
import { eventually } from '../eventually.js';
import { freePort } from '../../../../tools/free-port.mjs';
import { endWithThisProcess } from './lifeline.js';
import { REPOSITORY } from './repository.js';

/** One of the two server programs. */
export type AppKind = 'api' | 'worker';

/** Settings shared by all processes of a test, so that an api and a worker work together. */
export const TEST_ENVIRONMENT = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-of-the-tests',
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  LOG_LEVEL: 'info',
} as const;

/** Loaded into every process, so that undocumented responses fail the test. */
const ANSWER_CHECK = path.join(REPOSITORY, 'libs', 'testing', 'dist', 'answers', 'check-process.js');

/**
 * Most of a test program's life is its start, which costs a fifth less processor time if V8
 * optimizes only what stays busy for longer than by default. Newer versions of Node refuse to start
 * with this flag.
 */
const V8_FLAGS = process.version.startsWith('v20.') ? ['--interrupt-budget=600000'] : [];

/** Jest's setup bundles the built programs, because a bundle starts in half the time. */
function programFile(kind: AppKind): string {
  const bundles = process.env.TIELINE_TEST_PROGRAMS;
  return bundles ? path.join(bundles, `${kind}.mjs`) : path.join(REPOSITORY, 'apps', kind, 'dist', 'main.js');
}

/** The end of a process: an exit code, or the signal that killed it. */
export interface AppExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running api or worker, started by {@link startProcess}. */
export class AppProcess {
  /** Resolves when the process has ended. */
  readonly exited: Promise<AppExit>;
  private readonly lines: Buffer[] = [];

  constructor(
    private readonly child: ChildProcess,
    /** Base address, without a trailing slash. */
    readonly url: string,
    onExit: () => void,
  ) {
    child.stdout?.on('data', (part: Buffer) => this.lines.push(part));
    child.stderr?.on('data', (part: Buffer) => this.lines.push(part));
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        onExit();
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  /** Returns all output so far, of both streams. */
  output(): string {
    return Buffer.concat(this.lines).toString('utf8');
  }

  /** Lets this process exit while the program runs, which then ends with it. */
  unref(): void {
    this.child.unref();
    for (const stream of [this.child.stdout, this.child.stderr]) (stream as Socket | null)?.unref();
  }

  /** Sends the signal and waits for the end of the process. */
  async kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<AppExit> {
    this.child.kill(signal);
    return this.exited;
  }
}

/**
 * Starts the built program on a free port and waits until `/health/ready` returns 200. `env` needs
 * `DATABASE_URL` (and `REDIS_URL` in the Redis variant, see `testRedisUrl`) and overrides {@link
 * TEST_ENVIRONMENT}. Only `PATH` and the folder of compiled scripts are inherited from this
 * process. End it with `kill()`; it also ends when the test process exits.
 */
export async function startProcess(
  kind: AppKind,
  env: Record<string, string | undefined>,
): Promise<AppProcess> {
  const port = await freePort();
  const ownDataDir = env.DATA_DIR ? undefined : mkdtempSync(path.join(tmpdir(), `tieline-${kind}-`));
  const child = spawn(
    process.execPath,
    [...V8_FLAGS, '--enable-source-maps', '--import', ANSWER_CHECK, programFile(kind)],
    {
      cwd: REPOSITORY,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...TEST_ENVIRONMENT,
        [FAULTS_VARIABLE]: AnswerFaults.ofThisTest().file,
        DATA_DIR: ownDataDir,
        [kind === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  endWithThisProcess(child);
  const app = new AppProcess(child, `http://127.0.0.1:${port}`, () => {
    if (ownDataDir) rmSync(ownDataDir, { recursive: true, force: true });
  });
  await ready(app, kind);
  return app;
}

async function ready(app: AppProcess, kind: AppKind): Promise<void> {
  let ended: AppExit | undefined;
  void app.exited.then((exit) => (ended = exit));
  try {
    await eventually(
      async () =>
        ended !== undefined ||
        (await fetch(`${app.url}/health/ready`, { signal: AbortSignal.timeout(2_000) })).status === 200,
      { timeoutMs: 180_000, everyMs: 50 },
    );
  } catch (error) {
    await app.kill('SIGKILL');
    throw new Error(`the ${kind} did not become ready (${String(error)}); it wrote:\n${app.output()}`);
  }
  if (ended)
    throw new Error(
      `the ${kind} ended with code ${ended.code}, signal ${ended.signal}; it wrote:\n${app.output()}`,
    );
}

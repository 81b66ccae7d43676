import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnswerFaults, FAULTS_VARIABLE } from '../answers/answer-faults.js';
import { eventually } from '../eventually.js';
import { freePort } from './free-port.js';
import { endWithThisProcess } from './lifeline.js';
import { REPOSITORY } from './repository.js';

/** Which of the two programs. */
export type AppKind = 'api' | 'worker';

/**
 * Settings that are the same for every process of a test, so that an api and a worker understand
 * each other.
 */
export const TEST_ENVIRONMENT = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-of-the-tests',
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  LOG_LEVEL: 'info',
} as const;

/** Loaded into every process: answers that its OpenAPI document doesn't know make the test fail. */
const JUDGE = path.join(REPOSITORY, 'libs', 'testing', 'dist', 'answers', 'judge-process.js');

/** How a process ended: an exit code, or the signal that killed it. */
export interface AppExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running api or worker. Made by {@link startProcess}. */
export class AppProcess {
  /** Settles when the process has ended. */
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

  /** Everything that the process wrote so far, both streams. */
  output(): string {
    return Buffer.concat(this.lines).toString('utf8');
  }

  /** Sends the signal and waits for the end. */
  async kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<AppExit> {
    this.child.kill(signal);
    return this.exited;
  }
}

/**
 * Starts the built program on a free port and waits until `/health/ready` answers 200. `env` needs
 * `DATABASE_URL` (and `REDIS_URL` in the Redis variant, see `testRedisUrl`); it goes over {@link
 * TEST_ENVIRONMENT}. Of this process's environment only `PATH` and the place of compiled scripts
 * are passed on. End it with `kill()`; it also ends when the test process dies.
 */
export async function startProcess(
  kind: AppKind,
  env: Record<string, string | undefined>,
): Promise<AppProcess> {
  const port = await freePort();
  const ownDataDir = env.DATA_DIR ? undefined : mkdtempSync(path.join(tmpdir(), `tieline-${kind}-`));
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--import', JUDGE, path.join(REPOSITORY, 'apps', kind, 'dist', 'main.js')],
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

import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where the package is. */
export const PYTHON_SDK = path.join(ROOT, 'sdk/python');

/** Why nothing of Python can be tested here; undefined where a python3 from 3.11 is. */
export function whyNoPython(): string | undefined {
  const ask = 'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))';
  try {
    execFileSync('python3', ['-c', ask], { encoding: 'utf8', stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const { code, stdout } = error as { code?: string; stdout?: string };
    if (code === 'ENOENT') return 'there is no python3';
    return `python3 is ${String(stdout).trim() || 'not usable'}, and 3.11 is needed`;
  }
}

/** A Python program of this repository; warnings are errors in it. */
export class PythonProcess {
  /** What it has written. */
  output = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  /** Of this process's environment only where programs are is passed on. */
  constructor(args: string[], env: Record<string, string>) {
    const own = { PATH: process.env.PATH, PYTHONPATH: PYTHON_SDK, PYTHONDONTWRITEBYTECODE: '1' };
    this.child = spawn('python3', ['-u', '-W', 'error', ...args], {
      cwd: PYTHON_SDK,
      env: { ...own, ...env },
    });
    for (const part of [this.child.stdout, this.child.stderr])
      part?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((done) => this.child.once('close', done));
  }

  /** Resolves with its exit code, null after a signal. */
  end(): Promise<number | null> {
    return this.ended;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Where a file of this repository is. */
export const inRepository = (file: string): string => path.join(ROOT, file);

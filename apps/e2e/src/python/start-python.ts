import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildProgram } from '@tieline/testing';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PYTHON_SDK = path.join(ROOT, 'sdk/python');

/** Returns why Python cannot be tested here; undefined if python3 3.11 or newer is installed. */
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

/**
 * Starts a Python program of this repository, with warnings as errors. Inherits only the program
 * paths from this process's environment.
 */
export function startPython(args: string[], env: Record<string, string>): ChildProgram {
  const own = { PATH: process.env.PATH, PYTHONPATH: PYTHON_SDK, PYTHONDONTWRITEBYTECODE: '1' };
  return new ChildProgram('python3', ['-u', '-W', 'error', ...args], {
    cwd: PYTHON_SDK,
    env: { ...own, ...env },
  });
}

/** Returns the path of a file in this repository. */
export const inRepository = (file: string): string => path.join(ROOT, file);

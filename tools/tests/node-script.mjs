/** Runs a script in a separate Node process, to test processes and how they end. */
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export function temporaryFolder() {
  return mkdtemp(join(tmpdir(), 'tieline-tools-'));
}

/**
 * @param {string[]} args of node
 * @param {NodeJS.ProcessEnv} [env] on top of a bare one
 * @returns {{ pid: number | undefined, output(): string, said(text: string, timeoutMs?: number):
 * Promise<void>, kill(signal: NodeJS.Signals): void, ended: Promise<{ code: number | null, signal:
 * string | null }> }}
 */
export function node(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  child.stderr.on('data', (part) => (output += part));
  let isOver = false;
  const ended = new Promise((settle) => {
    child.once('close', (code, signal) => {
      isOver = true;
      settle({ code, signal });
    });
  });
  return {
    pid: child.pid,
    output: () => output,
    kill: (signal) => child.kill(signal),
    ended,
    async said(text, timeoutMs = 60_000) {
      const deadline = Date.now() + timeoutMs;
      while (!output.includes(text)) {
        if (isOver || Date.now() > deadline) throw new Error(`it never said "${text}" but:\n${output}`);
        await sleep(20);
      }
    },
  };
}

/**
 * @param {string} code of an ES module; `tools/` is its folder for imports
 * @param {NodeJS.ProcessEnv} [env]
 */
export function script(code, env) {
  return node(['--input-type=module', '-e', code.replaceAll("'./", `'${ROOT}/tools/`)], env);
}

export async function until(isTrue, what, timeoutMs = 30_000) {
  const deadline = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms until ${what}`);
    await sleep(25);
  }
}

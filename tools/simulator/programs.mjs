/** Api and worker of a simulator, as processes that end together with it. */
import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.mjs';
import { tieToThisProcess } from '../lifeline.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const RUNNER = join(import.meta.dirname, 'run-program.mjs');
const READY_MS = 60_000;
const LOOK_MS = 10;
const DRAIN_MS = 5_000;

/**
 * Starts one of our programs and waits until it is ready.
 * @param {object} options
 * @param {'api' | 'worker'} options.name
 * @param {string} options.code folder of its code (bundle.mjs)
 * @param {string} options.folder for its log
 * @param {NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>} options.env its settings; until they are
 * there it loads its code
 * @param {number} [options.port] default: a free one
 * @returns {Promise<{ url: string, port: number, pid: number, exited: Promise<void>, log: () =>
 * Promise<string>, stop: () => Promise<void>, kill: () => void }>}
 * @throws with the end of its log when it does not start
 */
export async function startProgram({ name, code, folder, env, port: wanted }) {
  const port = wanted ?? (await freePort());
  const logFile = join(folder, `${name}.log`);
  const output = await open(logFile, 'a', 0o600);
  // Detached: Ctrl-C in the terminal must reach us alone.
  const child = spawn(process.execPath, [RUNNER, name, code], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    detached: true,
    stdio: ['pipe', output.fd, output.fd],
  });
  const { pid, stdin } = child;
  if (!pid || !stdin) throw new Error(`the ${name} was not started`);
  stdin.on('error', () => undefined);
  await output.close();
  // Killed immediately, because further log output would keep the folder from being deleted.
  const lifeline = tieToThisProcess(pid, { signal: 'KILL' });
  let ended = false;
  /** @type {Promise<void>} */
  const exited = new Promise((settle) => {
    child.once('exit', () => {
      ended = true;
      lifeline.release();
      settle(undefined);
    });
  });
  const log = () => readFile(logFile, 'utf8').catch(() => '');
  const url = `http://127.0.0.1:${port}`;
  try {
    const settings = { ...(await env), [name === 'api' ? 'PORT' : 'WORKER_PORT']: String(port) };
    stdin.end(`${JSON.stringify(settings)}\n`);
  } catch (error) {
    child.kill('SIGKILL');
    await exited;
    throw error;
  }
  const deadline = Date.now() + READY_MS;
  while (!(await isReady(url))) {
    if (ended || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the ${name} does not start:\n${(await log()).slice(-3000)}`);
    }
    await sleep(LOOK_MS);
  }
  return {
    url,
    port,
    pid,
    exited,
    log,
    kill: () => child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), DRAIN_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

async function isReady(url) {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

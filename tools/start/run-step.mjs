import { spawn } from 'node:child_process';

/**
 * Runs a script that ends before Tieline is ready, so that its modules do not stay in memory.
 * @param {object} options
 * @param {string} options.script
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(line: string) => void} options.say gets each line that it prints
 * @param {AbortSignal} [options.signal] ends it
 * @param {string} [options.failed] the first line of the error
 * @throws Error with what the script wrote to standard error
 */
export function runStep({ script, cwd, env, say, signal, failed }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], {
      cwd,
      env,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    let rest = '';
    child.stdout.on('data', (part) => {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter(Boolean)) say(line);
    });
    child.stderr.on('data', (part) => (complaint += part));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error([failed, (rest + complaint).trim()].filter(Boolean).join('\n')));
    });
  });
}

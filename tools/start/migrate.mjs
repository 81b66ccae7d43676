import { spawn } from 'node:child_process';

/**
 * Runs the migrate command; what it prints is progress.
 * @param {{ script: string, cwd: string, env: NodeJS.ProcessEnv, say: (line: string) => void,
 * signal: AbortSignal }} options
 */
export function migrate({ script, cwd, env, say, signal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', script], {
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
      for (const line of lines.filter(Boolean)) say(`  ${line}`);
    });
    child.stderr.on('data', (part) => (complaint += part));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`the database could not be migrated:\n${(rest + complaint).trim()}`));
    });
  });
}

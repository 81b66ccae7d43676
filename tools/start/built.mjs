/** Commands of the api that npm scripts run. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Compiles what changed, and runs one of the api's commands with this process's arguments; they are
 * paths, and meant from where the user is.
 * @param {string} script such as `export.js`
 * @param {NodeJS.ProcessEnv} env
 * @returns {number} its exit code
 */
export function runBuilt(script, env) {
  const built = spawnSync(process.execPath, ['tools/build.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) return 1;
  const paths = process.argv.slice(2).map((path) => resolve(process.env.INIT_CWD ?? '.', path));
  const done = spawnSync(process.execPath, [`apps/api/dist/${script}`, ...paths], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  return done.status ?? 1;
}

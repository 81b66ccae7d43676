/**
 * Ties another process to this one: when this process dies without a word (kill -9, a crash), a
 * waiting shell ends the other one. A shell, because it must outlive us and a second Node would
 * cost 40 MB.
 */
import { spawn } from 'node:child_process';

// EOF on stdin means that the launcher is gone; a line means that it cleaned up by itself.
const SCRIPT = `
  alive() { kill -0 "$1" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"; }
  read -r word && exit 0
  if alive "$1" && kill -s "$2" "$1"; then
    waited=0
    while alive "$1" && [ "$waited" -lt "$4" ]; do sleep 1; waited=$((waited + 1)); done
    if alive "$1"; then kill -s "$3" "$1"; fi
  fi
  if [ -n "$5" ]; then rm -rf -- "$5"; fi
`;

/**
 * @param {number | undefined} pid the process to end when this one dies
 * @param {object} [options]
 * @param {string} [options.signal] sent first (default TERM)
 * @param {string} [options.lastSignal] sent when it has not ended after the grace time (default
 * KILL)
 * @param {number} [options.graceSeconds] default 15
 * @param {string} [options.removeFolder] deleted afterwards
 * @returns {{ release(): void }} call `release` once the process has ended
 */
export function tieToThisProcess(pid, options = {}) {
  const { signal = 'TERM', lastSignal = 'KILL', graceSeconds = 15, removeFolder = '' } = options;
  const watcher = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'lifeline', String(pid), signal, lastSignal, String(graceSeconds), removeFolder],
    {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  watcher.unref();
  // A pipe is a socket, which the types of a child do not say.
  /** @type {import('node:net').Socket} */ (watcher.stdin).unref();
  watcher.stdin.on('error', () => {});
  return {
    release() {
      watcher.stdin.end('done\n');
    },
  };
}

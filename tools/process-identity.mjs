/** Telling one process from another that got the same number later. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When the process with this number started, in words that only compare; `undefined` when there is
 * none (a zombie is none). Two processes with the same number never have the same identity.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function processIdentity(pid) {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.trim() || undefined;
  }
  try {
    // After the command's closing parenthesis come the state and, as the 20th field from there, the
    // start time.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

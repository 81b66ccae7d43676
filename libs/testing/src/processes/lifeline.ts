import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/**
 * Starts a shell that kills the child if this process exits without doing so, so that no orphan
 * holds ports or connections.
 */
export function endWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const watcher = spawn('/bin/sh', ['-c', 'read -r word || kill -9 "$1"', 'lifeline', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  watcher.stdin.on('error', () => undefined);
  child.once('exit', () => watcher.stdin.end('done\n'));
}

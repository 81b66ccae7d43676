/** Finding and stopping a server that a killed launcher left behind. */
import { spawnSync } from 'node:child_process';
import { readFile, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stops the postmaster that still runs on this data folder, if one does, and clears a lock file
 * that a foreign process number makes look alive. Afterwards a server can start here.
 * @param {string} clusterDir
 * @returns {Promise<boolean>} whether an orphan was stopped
 */
export async function reclaimCluster(clusterDir) {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = await pidIn(pidFile);
  if (pid === undefined || !isAlive(pid)) return false;
  if (!(await isPostmasterOf(pid, clusterDir))) {
    // The process id was reused since, and Postgres itself would refuse to start.
    await rm(pidFile, { force: true });
    return false;
  }
  for (const [signal, seconds] of Object.entries({ SIGINT: 20, SIGQUIT: 5, SIGKILL: 5 })) {
    if (!trySignal(pid, signal)) return true;
    if (await hasEnded(pid, clusterDir, seconds * 1000)) return true;
  }
  throw new Error(`a PostgreSQL server (process ${pid}) holds ${clusterDir} and does not stop`);
}

/**
 * Removes the sockets that a killed server left. Their lock files name its process, whose number a
 * foreign one may have got.
 * @param {string} clusterDir of a server that does not run
 */
export async function removeSockets(clusterDir) {
  const files = (await readdir(clusterDir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(files.map((name) => rm(join(clusterDir, name), { force: true })));
}

/** @param {string} pidFile */
async function pidIn(pidFile) {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @param {number} pid @param {string} signal */
function trySignal(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** @param {number} pid @param {string} clusterDir @param {number} milliseconds */
async function hasEnded(pid, clusterDir, milliseconds) {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (!isAlive(pid) || !(await isPostmasterOf(pid, clusterDir))) return true;
    await sleep(50);
  }
  return false;
}

/**
 * A zombie has no command line and no folder, so it counts as gone.
 * @param {number} pid
 * @param {string} clusterDir
 */
async function isPostmasterOf(pid, clusterDir) {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.includes('postgres') && stdout.includes(clusterDir);
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!basename(commandLine.split('\0')[0]).startsWith('postgres')) return false;
  // Every server process works inside its data folder.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return folder === (await realpath(clusterDir));
}

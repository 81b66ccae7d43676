/** Postgres refuses to run as root. */
import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';

/** @typedef {{ uid?: number, gid?: number }} ServerUser empty: the user who runs this process */

/**
 * Whom the server runs as: ourselves, or, when we are root, the owner of the existing data folder, else `nobody`.
 * @param {string} clusterDir
 * @returns {Promise<ServerUser>}
 */
export async function serverUser(clusterDir) {
  if (process.getuid?.() !== 0) return {};
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: numericId('-u'), gid: numericId('-g') };
}

/**
 * Whether that user can reach a folder by its path.
 * @param {string} folder
 * @param {ServerUser} user
 */
export function canEnter(folder, user) {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'enter', folder], { ...user, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}

function numericId(flag) {
  const answer = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  return answer.status === 0 ? Number(answer.stdout.trim()) : 65534;
}

/** Postgres refuses to run as root. */
import { spawnSync } from 'node:child_process';
import { chmod, lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** @typedef {{ uid?: number, gid?: number }} ServerUser empty: the user who runs this process */

/**
 * Whom the server runs as: ourselves, or, when we are root, the owner of the existing data folder,
 * else `nobody`.
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
 * Makes an existing data folder the server's own, as Postgres demands: a copy that root made
 * belongs to root.
 * @param {string} clusterDir
 * @param {ServerUser} user
 */
export async function ownCluster(clusterDir, { uid, gid }) {
  const found = await stat(clusterDir).catch(() => undefined);
  if (!found || uid === undefined || found.uid === uid) return;
  // The folder itself comes last: interrupted, the next start does it all again.
  for (const entry of await readdir(clusterDir, { recursive: true }))
    await lchown(join(clusterDir, entry), uid, gid ?? uid);
  await chmod(clusterDir, 0o700);
  await lchown(clusterDir, uid, gid ?? uid);
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

/** @param {string} flag */
function numericId(flag) {
  const answer = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  return answer.status === 0 ? Number(answer.stdout.trim()) : 65534;
}

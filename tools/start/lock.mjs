/**
 * One start per DATA_DIR, and knowledge of what a killed one left behind. What is written down
 * names the folder that it is about, so that a copy of a folder in use neither looks taken nor ends
 * the programs of the original.
 */
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../process-identity.mjs';

const GRACE_MS = 15_000;

/**
 * Takes DATA_DIR for this process.
 * @param {string} dataDir
 * @returns {Promise<() => Promise<void>>} releases it
 * @throws if another running start holds it
 */
export async function lockDataDir(dataDir) {
  const path = join(dataDir, 'start.pid');
  const mine = `${path}.${process.pid}`;
  const folder = folderIdentity(dataDir);
  await writeFile(mine, JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid), folder }));
  try {
    // `link` creates the name with its content or fails, so a half-written lock is never visible.
    while (!(await link(mine, path).then(() => true, ifExists))) {
      const holder = await readFile(path, 'utf8').catch(() => '');
      if (isAlive(holder, folder))
        throw new Error(
          `Tieline already runs on ${dataDir} (process ${JSON.parse(holder).pid}). Stop it, or choose another DATA_DIR.`,
        );
      // Renamed first: of two starts that both find it stale, one fails here and looks again.
      await rename(path, `${mine}.stale`).then(
        () => rm(`${mine}.stale`),
        () => undefined,
      );
    }
  } finally {
    await rm(mine, { force: true });
  }
  return () => rm(path, { force: true });
}

/**
 * Ends api and worker processes that outlived a killed start.
 * @param {string} dataDir
 * @returns {Promise<number>} how many there were
 */
export async function reclaimChildren(dataDir) {
  const here = folderIdentity(dataDir);
  const left = (await readChildren(dataDir)).filter(
    ({ pid, identity, folder }) => folder === here && processIdentity(pid) === identity,
  );
  await Promise.all(left.map(endProcess));
  await rm(childrenFile(dataDir), { force: true });
  return left.length;
}

/**
 * Writes down which processes this start runs, for {@link reclaimChildren} of a later one.
 * @param {string} dataDir
 * @param {number[]} pids
 */
export function recordChildren(dataDir, pids) {
  const children = pids
    .map((pid) => ({ pid, identity: processIdentity(pid), folder: folderIdentity(dataDir) }))
    .filter(({ identity }) => identity);
  writeFileSync(`${childrenFile(dataDir)}.new`, JSON.stringify(children));
  renameSync(`${childrenFile(dataDir)}.new`, childrenFile(dataDir));
}

/** @typedef {{ pid: number, identity: string, folder: string }} Child */

/** @param {string} dataDir @returns {Promise<Child[]>} */
async function readChildren(dataDir) {
  try {
    return JSON.parse(await readFile(childrenFile(dataDir), 'utf8'));
  } catch {
    return [];
  }
}

/** @param {Child} child */
async function endProcess({ pid, identity }) {
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  while (processIdentity(pid) === identity) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await sleep(50);
  }
}

/** @param {any} error */
function ifExists(error) {
  if (error.code === 'EEXIST') return false;
  throw error;
}

/** @param {any} holder @param {string} here */
function isAlive(holder, here) {
  try {
    const { pid, identity, folder } = JSON.parse(holder);
    return folder === here && processIdentity(pid) === identity;
  } catch {
    return false;
  }
}

/**
 * Stays the same when a folder is renamed, and is another one for a copy.
 * @param {string} dataDir
 */
function folderIdentity(dataDir) {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  return `${dev}:${ino}`;
}

/** @param {string} dataDir */
function childrenFile(dataDir) {
  return join(dataDir, 'children.json');
}

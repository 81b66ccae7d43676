import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UploadInProgressError } from '../file-storage.js';

/** Age at which a lock that was not renewed is stale, because its process has ended. */
const STALE_MS = 10_000;
const RENEW_MS = 2_000;

/**
 * Allows one upload per key at a time, across all processes that use this folder. Otherwise a link
 * for one file could fill the disk with several copies.
 */
export class UploadLocks {
  constructor(private readonly folder: string) {}

  /**
   * Runs `work` while holding the key's lock.
   * @throws UploadInProgressError immediately if another upload holds it
   */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, key.replaceAll('/', '.'));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const own = await acquire(path);
    const renewal = setInterval(() => {
      const now = new Date();
      utimes(path, now, now).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await release(path, own);
    }
  }
}

/** @returns the content of the lock, which identifies its owner */
async function acquire(path: string): Promise<string> {
  const own = randomUUID();
  while (!(await createLock(path, own))) {
    if (await isHeld(path)) throw new UploadInProgressError('an upload of this object is under way');
    await removeStaleLock(path);
  }
  return own;
}

/**
 * Removes a stale lock. A process that detects the stale lock late may move away a lock that
 * another one has created in between. It therefore checks the moved file and puts it back.
 * @internal
 */
export async function removeStaleLock(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  if (await isHeld(aside)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function isHeld(path: string): Promise<boolean> {
  const held = await stat(path).catch(() => undefined);
  return held !== undefined && Date.now() - held.mtimeMs < STALE_MS;
}

/** A suspended process may have lost its lock to another one, which must stay. */
async function release(path: string, own: string): Promise<void> {
  const holder = await readFile(path, 'utf8').catch(() => '');
  if (holder === own) await rm(path, { force: true });
}

async function createLock(path: string, own: string): Promise<boolean> {
  try {
    await writeFile(path, own, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UploadInProgressError } from '../file-storage.js';

/** A lock that nobody renewed for so long belonged to a process that is gone. */
const STALE_MS = 10_000;
const RENEW_MS = 2_000;

/**
 * Lets one upload of each key go on at a time, in every process that works on this folder: a link
 * for one file must not fill the disk with several copies.
 */
export class UploadLocks {
  constructor(private readonly folder: string) {}

  /**
   * Does the work while it holds the key's lock. @throws UploadInProgressError at once where
   * another holds it
   */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, key.replaceAll('/', '.'));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const own = await take(path);
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

/** @returns what stands in the lock: whose it is */
async function take(path: string): Promise<string> {
  const own = randomUUID();
  while (!(await create(path, own))) {
    if (await isHeld(path)) throw new UploadInProgressError('an upload of this object is under way');
    await dropStale(path);
  }
  return own;
}

/**
 * Removes a lock that nobody renewed for long. Of several that find it stale one may be so late
 * that it moves away what another has made since: it looks again at what it has in its hands, and
 * puts it back.
 * @internal
 */
export async function dropStale(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  if (await isHeld(aside)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function isHeld(path: string): Promise<boolean> {
  const held = await stat(path).catch(() => undefined);
  return held !== undefined && Date.now() - held.mtimeMs < STALE_MS;
}

/**
 * A process that stood still for too long has lost its lock to another: that one's is left alone.
 */
async function release(path: string, own: string): Promise<void> {
  const holder = await readFile(path, 'utf8').catch(() => '');
  if (holder === own) await rm(path, { force: true });
}

async function create(path: string, own: string): Promise<boolean> {
  try {
    await writeFile(path, own, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UploadInProgressError } from '../file-storage.js';

/** A lock that nobody renewed for so long belonged to a process that is gone. */
const STALE_MS = 10_000;
const RENEW_MS = 2_000;

/**
 * Lets one upload of each key go on at a time, in every process that works on this folder: a link for one file must not fill the
 * disk with several copies.
 */
export class UploadLocks {
  constructor(private readonly folder: string) {}

  /** Does the work while it holds the key's lock. @throws UploadInProgressError at once where another holds it */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, key.replaceAll('/', '.'));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await take(path);
    const renewal = setInterval(() => {
      const now = new Date();
      utimes(path, now, now).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await rm(path, { force: true });
    }
  }
}

async function take(path: string): Promise<void> {
  while (!(await create(path))) {
    const held = await stat(path).catch(() => undefined);
    if (held && Date.now() - held.mtimeMs < STALE_MS)
      throw new UploadInProgressError('an upload of this object is under way');
    // Of several that find it stale, one moves it away; all then try again.
    const aside = `${path}.${randomUUID()}`;
    if (held) await rename(path, aside).catch(() => undefined);
    await rm(aside, { force: true });
  }
}

async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

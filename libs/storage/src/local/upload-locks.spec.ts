import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UploadInProgressError } from '../file-storage.js';
import { removeStaleLock, UploadLocks } from './upload-locks.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upload-locks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Leaves a lock as an ended process would. */
async function leaveStale(key: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, key), '');
  const then = new Date(Date.now() - 60_000);
  await utimes(join(folder, key), then, then);
}

test('of many that detect a stale lock, one at a time holds it', async () => {
  for (let round = 0; round < 10; round += 1) {
    await leaveStale(`k${round}`);
    let holding = 0;
    let most = 0;
    let held = 0;
    const hold = (): Promise<void> =>
      new UploadLocks(folder)
        .hold(`k${round}`, async () => {
          held += 1;
          holding += 1;
          most = Math.max(most, holding);
          await sleep(5);
          holding -= 1;
        })
        .catch((error: unknown) => expect(error).toBeInstanceOf(UploadInProgressError));
    await Promise.all(Array.from({ length: 12 }, hold));
    expect(most).toBe(1);
    expect(held).toBeGreaterThan(0);
  }
});

test('a process that is late to a stale lock keeps the lock that another one has created in between', async () => {
  const locks = new UploadLocks(folder);
  await locks.hold('k', async () => {
    await removeStaleLock(join(folder, 'k'));
    await expect(locks.hold('k', async () => undefined)).rejects.toBeInstanceOf(UploadInProgressError);
  });
  await leaveStale('k');
  await removeStaleLock(join(folder, 'k'));
  expect(await readdir(folder)).toEqual([]);
});

test("a process that lost its lock while suspended does not release the next owner's", async () => {
  const locks = new UploadLocks(folder);
  let next: Promise<void> | undefined;
  let end = (): void => undefined;
  await locks.hold('k', async () => {
    const then = new Date(Date.now() - 60_000);
    await utimes(join(folder, 'k'), then, then);
    await new Promise<void>((begun) => {
      next = locks.hold('k', () => {
        begun();
        return new Promise<void>((resolve) => (end = resolve));
      });
    });
  });
  await expect(locks.hold('k', async () => undefined)).rejects.toBeInstanceOf(UploadInProgressError);
  end();
  await next;
  await locks.hold('k', async () => undefined);
});

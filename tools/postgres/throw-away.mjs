/** Where the data of a server goes that ends with its test run. */
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** A whole test run needs up to a third of it. */
const PLENTY_BYTES = 8e9;

/**
 * Makes a folder, in memory if there is plenty: each test database consists of 1,500 files, which
 * costs the file system of a disk seven times as much processor time.
 * @returns {Promise<string>}
 */
export async function throwAwayFolder() {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const room = Math.min(bavail * bsize, process.availableMemory());
  return mkdtemp(join(room < PLENTY_BYTES ? tmpdir() : IN_MEMORY, 'tieline-test-'));
}

import type { FileStorage } from '@tieline/storage';
import { storageKey } from '../files.queries.js';
import type { StoredFile } from '../file.entity.js';

/** Whether the bytes of a ready file are in storage. */
export type ObjectPresence = 'there' | 'missing' | 'undecided';

/**
 * Checks storage. Returns `undecided` if it is unavailable or does not answer in time. Never
 * throws.
 */
export async function checkPresence(
  storage: FileStorage,
  file: Pick<StoredFile, 'spaceId' | 'id' | 'fileSize'>,
  timeoutMs: number,
): Promise<ObjectPresence> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'undecided'>(
    (resolve) => (timer = setTimeout(() => resolve('undecided'), timeoutMs)),
  );
  const checked = storage.stat(storageKey(file)).then(
    (found): ObjectPresence => (found?.size === file.fileSize ? 'there' : 'missing'),
    (): ObjectPresence => 'undecided',
  );
  try {
    return await Promise.race([checked, silence]);
  } finally {
    clearTimeout(timer);
  }
}

import { withinDeadline } from '@tieline/background';
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
  return withinDeadline(storage.stat(storageKey(file)), timeoutMs, 'no answer from storage').then(
    (found) => (found?.size === file.fileSize ? 'there' : 'missing'),
    () => 'undecided',
  );
}

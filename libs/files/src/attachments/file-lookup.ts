import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
import { findAttachable } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import type { StoredFile } from '../file.entity.js';
import { checkPresence } from './object-presence.js';

/** Result of a storage check just before files are attached. */
export interface FileLookupResult {
  /** Files whose bytes are missing. */
  missing: ReadonlySet<string>;
  /** Files for which storage did not answer in time. */
  undecided: ReadonlySet<string>;
}

/**
 * Maximum wait for storage in milliseconds, because a request waits for the message. Slower files
 * are checked again later.
 */
const STORE_TIMEOUT_MS = 2000;

/**
 * Checks storage for files that are about to be attached, outside the transaction that attaches
 * them.
 */
@Injectable()
export class FileLookup {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
  ) {}

  /**
   * Checks all files concurrently. Never fails because of storage. Skips files that cannot be
   * attached anyway, which `attachFiles` refuses.
   */
  async lookUp(owner: Uploader, fileIds: readonly string[]): Promise<FileLookupResult> {
    const files = await findAttachable(this.db, owner, fileIds);
    const presence = await Promise.all(
      files.map((file) => checkPresence(this.storage, file, STORE_TIMEOUT_MS)),
    );
    const idsOf = (wanted: string): Set<string> =>
      new Set(files.filter((_: StoredFile, n) => presence[n] === wanted).map(({ id }) => id));
    return { missing: idsOf('missing'), undecided: idsOf('undecided') };
  }
}

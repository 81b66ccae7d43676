import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
import { findAttachable } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import type { StoredFile } from '../file.entity.js';
import { presenceOf } from './object-presence.js';

/** What the store said of files just before they are attached. */
export interface FoundFiles {
  /** Their bytes are gone. */
  missing: ReadonlySet<string>;
  /** The store did not answer, or not in time. */
  undecided: ReadonlySet<string>;
}

/**
 * Somebody waits for the message: a store that is slower than this is asked again later. In
 * milliseconds.
 */
const PATIENCE_MS = 2000;

/**
 * Asks the store for files that are about to be attached. Outside the transaction that attaches
 * them.
 */
@Injectable()
export class FileLookup {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
  ) {}

  /**
   * All files at once; never fails because of the store. Files that can't be attached anyway are
   * left out: `attachFiles` refuses them.
   */
  async lookUp(owner: Uploader, fileIds: readonly string[]): Promise<FoundFiles> {
    const files = await findAttachable(this.db, owner, fileIds);
    const presence = await Promise.all(files.map((file) => presenceOf(this.storage, file, PATIENCE_MS)));
    const idsOf = (wanted: string): Set<string> =>
      new Set(files.filter((_: StoredFile, n) => presence[n] === wanted).map(({ id }) => id));
    return { missing: idsOf('missing'), undecided: idsOf('undecided') };
  }
}

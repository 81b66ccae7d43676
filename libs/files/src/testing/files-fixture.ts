import { Readable } from 'node:stream';
import type { Db } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { storageKey } from '../files.queries.js';
import type { FileOwner } from '../files.queries.js';
import { fileTypeOf } from '../uploads/media-types.js';

/** A file to create with {@link FilesFixture}. */
export interface FixtureFile {
  fileName?: string;
  mimeType?: string;
  content?: Uint8Array | string;
}

/**
 * Writes files of a bot directly to database and storage, for tests of this lib and the libs above
 * it.
 */
export class FilesFixture {
  constructor(
    readonly db: Db,
    readonly storage: FileStorage,
    readonly bot: FileOwner,
  ) {}

  /**
   * @param api on a `TestStorage`, with a module that provides storage (any module of this lib
   * does)
   */
  static of(api: TestApi, bot: FileOwner): FilesFixture {
    return new FilesFixture(api.db, api.app.get(FileStorage), bot);
  }

  /**
   * Creates a file that is ready to be attached.
   * @param conversationId null for a file of no conversation
   * @returns its id
   */
  async ready(conversationId: string | null, file: FixtureFile = {}): Promise<string> {
    const { id, content } = await this.insert(conversationId, 'ready', file);
    await this.storage.put(storageKey({ spaceId: this.bot.spaceId, id }), Readable.from([content]), {
      maxBytes: content.length,
    });
    return id;
  }

  /**
   * Creates a file without bytes.
   * @returns its id
   */
  async uploading(conversationId: string, file: FixtureFile = {}): Promise<string> {
    return (await this.insert(conversationId, 'uploading', file)).id;
  }

  /** Returns whether storage has the file's bytes. */
  async isStored(id: string): Promise<boolean> {
    return (await this.storage.stat(storageKey({ spaceId: this.bot.spaceId, id }))) !== undefined;
  }

  /** Removes a file's bytes, as an accident in storage would. */
  loseBytes(id: string): Promise<void> {
    return this.storage.remove(storageKey({ spaceId: this.bot.spaceId, id }));
  }

  private async insert(
    conversationId: string | null,
    status: string,
    file: FixtureFile,
  ): Promise<{ id: string; content: Buffer }> {
    const {
      fileName = 'report.pdf',
      mimeType = 'application/pdf',
      content: given = '%PDF-1.7 report',
    } = file;
    const id = uuidv7();
    const content = Buffer.from(given);
    await this.db.query(
      `INSERT INTO files (space_id, id, bot_id, conversation_id, file_type, file_name, mime_type, file_size, status) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        this.bot.spaceId,
        id,
        this.bot.botId,
        conversationId,
        fileTypeOf(mimeType),
        fileName,
        mimeType,
        content.length,
        status,
      ],
    );
    return { id, content };
  }
}

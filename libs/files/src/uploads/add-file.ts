import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { SpaceLimitSettings } from '@tieline/spaces';
import { StoredFile } from '../file.entity.js';
import { quotaReached } from '../files.errors.js';
import { fileTypeOf } from './media-types.js';
import { USAGE } from './usage.statements.js';

/** A file without bytes. */
export type AddedFile = Pick<
  StoredFile,
  'spaceId' | 'id' | 'botId' | 'userId' | 'conversationId' | 'fileName' | 'fileSize' | 'mimeType'
>;

/** Stores files in status `uploading`, within the quota of their space. */
@Injectable()
export class AddFile {
  constructor(
    private readonly db: Db,
    private readonly space: SpaceLimitSettings,
  ) {}

  /** @throws 409 over the quota of the space's plan */
  async run(file: AddedFile): Promise<StoredFile> {
    const { spaceId, mimeType } = file;
    return runInTx(
      this.db,
      async (tx) => {
        const { manager } = tx;
        const created = manager.create(StoredFile, {
          ...file,
          ...{ fileType: fileTypeOf(mimeType), width: 0, height: 0, status: 'uploading' },
          ...{ refusedAt: null, messageId: null },
        });
        await manager.insert(StoredFile, created);
        await this.requireQuota(tx, spaceId);
        return created;
      },
      { spaceId, place: 'uploads' },
    );
  }

  /** @throws 409 if the file just added exceeds the quota */
  private async requireQuota(tx: Tx, spaceId: string): Promise<void> {
    const [usage] = await tx.query(USAGE, [spaceId]);
    if (usage && usage.bytes > this.space.limits.file_bytes[usage.plan]) throw quotaReached();
  }
}

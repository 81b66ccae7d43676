import { sendingAccess } from '@tieline/conversations';
import type { SendingRefusal } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { ApiError } from '@tieline/platform/http';
import type { Plan } from '@tieline/spaces';
import type { FileStorage, UploadTarget } from '@tieline/storage';
import { v7 as uuidv7 } from 'uuid';
import { botNotInConversation, conversationIsArchived, quotaReached } from '../files.errors.js';
import { StoredFile } from '../file.entity.js';
import { storageKey } from '../files.queries.js';
import type { FileOwner } from '../files.queries.js';
import { fileTypeOf } from './media-types.js';
import { USAGE } from './usage.statements.js';

/** Decisions, section 6. */
const UPLOAD_URL_SECONDS = 15 * 60;

/** A file that is to be uploaded, with every rule kept that needs no database. */
export interface NewUpload {
  conversationId: string;
  fileName: string;
  /** Bytes. */
  fileSize: number;
  /** Lower case, without parameters. */
  mimeType: string;
}

/** A file that waits for its bytes, and where they go. */
export interface UploadSession {
  file: StoredFile;
  target: UploadTarget;
  /** Unix seconds. */
  expiresAt: number;
}

const REFUSALS: Readonly<Record<SendingRefusal, () => ApiError>> = {
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
};

/**
 * Makes a file in status `uploading` and a link by which its bytes, of exactly this size and type, go straight to the
 * store (contract, Files). @throws 403 not a member of that conversation, or it is archived; 409 over the quota of the space's plan
 */
export async function createUploadSession(
  db: Db,
  storage: FileStorage,
  { spaceId, botId }: FileOwner,
  upload: NewUpload,
  quotas: Readonly<Record<Plan, number>>,
): Promise<UploadSession> {
  const { conversationId, fileName, fileSize, mimeType } = upload;
  const { refused } = await sendingAccess(db, { spaceId, conversationId, author: { id: botId } });
  if (refused !== undefined) throw REFUSALS[refused]();
  const id = uuidv7();
  const expiresAt = Math.floor(Date.now() / 1000) + UPLOAD_URL_SECONDS;
  const target = await storage.uploadTarget(storageKey({ spaceId, id }), {
    maxBytes: fileSize,
    contentType: mimeType,
    expiresAt,
  });
  const file = await runInTx(db, async (tx) => {
    const { manager } = tx;
    const made = manager.create(StoredFile, {
      ...{ spaceId, id, botId, conversationId, fileName, mimeType, fileSize },
      ...{ fileType: fileTypeOf(mimeType), width: 0, height: 0, status: 'uploading' },
      ...{ refusedAt: null, messageId: null },
    });
    await manager.insert(StoredFile, made);
    await requireQuota(tx, spaceId, quotas);
    return made;
  });
  return { file, target, expiresAt };
}

/** @throws 409 when what the caller has just added is too much */
async function requireQuota(tx: Tx, spaceId: string, quotas: Readonly<Record<Plan, number>>): Promise<void> {
  const [usage] = await tx.query(USAGE, [spaceId]);
  if (usage && usage.bytes > quotas[usage.plan]) throw quotaReached();
}

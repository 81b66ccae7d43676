import { sendingAccess } from '@tieline/conversations';
import type { SendingRefusal } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { ApiError } from '@tieline/platform/http';
import type { Plan } from '@tieline/spaces';
import type { FileStorage, UploadTarget } from '@tieline/storage';
import { v7 as uuidv7 } from 'uuid';
import {
  botNotInConversation,
  conversationIsArchived,
  conversationNotFound,
  notMember,
  quotaReached,
} from '../files.errors.js';
import { StoredFile } from '../file.entity.js';
import { storageKey } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import { fileTypeOf } from './media-types.js';
import { USAGE } from './usage.statements.js';

/** Lifetime of an upload link. */
const UPLOAD_URL_SECONDS = 15 * 60;

/** A validated file to upload. Rules that need the database are checked later. */
export interface NewUpload {
  conversationId: string;
  fileName: string;
  /** Bytes. */
  fileSize: number;
  /** Lower case, without parameters. */
  mimeType: string;
}

/** A file that waits for its bytes, and where to send them. */
export interface UploadSession {
  file: StoredFile;
  target: UploadTarget;
  /** Unix seconds. */
  expiresAt: number;
}

type Refusals = Readonly<Record<SendingRefusal, () => ApiError>>;

const BOT_REFUSALS: Refusals = {
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
};
const PERSON_REFUSALS: Refusals = {
  unknown_conversation: conversationNotFound,
  not_member: notMember,
  archived: conversationIsArchived,
};

/**
 * Creates a file in status `uploading` and a link with which its bytes, of exactly this size and
 * type, are sent directly to storage.
 * @throws 403 not a member of that conversation, or it is archived; 404 unknown to a person; 409
 * over the quota of the space's plan
 */
export async function createUploadSession(
  db: Db,
  storage: FileStorage,
  owner: Uploader,
  upload: NewUpload,
  quotas: Readonly<Record<Plan, number>>,
): Promise<UploadSession> {
  const { conversationId, fileName, fileSize, mimeType } = upload;
  const { spaceId } = owner;
  const owned = 'botId' in owner ? { botId: owner.botId } : { botId: null, userId: owner.userId };
  const author = { id: owned.botId ?? owned.userId };
  const { refused } = await sendingAccess(db, { spaceId, conversationId, author });
  if (refused !== undefined) throw (owned.botId === null ? PERSON_REFUSALS : BOT_REFUSALS)[refused]();
  const id = uuidv7();
  const expiresAt = Math.floor(Date.now() / 1000) + UPLOAD_URL_SECONDS;
  const target = await storage.uploadTarget(storageKey({ spaceId, id }), {
    maxBytes: fileSize,
    isExact: true,
    contentType: mimeType,
    expiresAt,
  });
  const file = await runInTx(
    db,
    async (tx) => {
      const { manager } = tx;
      const created = manager.create(StoredFile, {
        ...{ spaceId, id, ...owned, conversationId, fileName, mimeType, fileSize },
        ...{ fileType: fileTypeOf(mimeType), width: 0, height: 0, status: 'uploading' },
        ...{ refusedAt: null, messageId: null },
      });
      await manager.insert(StoredFile, created);
      await requireQuota(tx, spaceId, quotas);
      return created;
    },
    { spaceId, place: 'uploads' },
  );
  return { file, target, expiresAt };
}

/** @throws 409 if the file just added exceeds the quota */
async function requireQuota(tx: Tx, spaceId: string, quotas: Readonly<Record<Plan, number>>): Promise<void> {
  const [usage] = await tx.query(USAGE, [spaceId]);
  if (usage && usage.bytes > quotas[usage.plan]) throw quotaReached();
}

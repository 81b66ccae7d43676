import { AttachedFileView } from '@tieline/conversations';
import { Field, OkAnswer } from '@tieline/platform/http';
import type { UploadSession } from './uploads/create-upload-session.js';
import type { DownloadUrl } from './downloads/download-url.js';
import { FILE_TYPES } from './uploads/media-types.js';
import type { FileType } from './uploads/media-types.js';
import { FILE_STATUSES } from './file.entity.js';
import type { FileStatus, StoredFile } from './file.entity.js';

const FILE_ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51';
const LINK = `https://chat.example/storage/01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41/${FILE_ID}?expires=1795252500&signature=…`;

/** A file as the API returns it. */
export class FileRecord extends AttachedFileView {
  @Field({ enum: FILE_TYPES, example: 'document' })
  override file_type: FileType;

  @Field({ enum: FILE_STATUSES, example: 'uploading' })
  override status: FileStatus;
}

export class UploadView {
  @Field({ example: FILE_ID })
  file_id: string;

  @Field({ example: LINK })
  upload_url: string;

  @Field({ example: 'PUT' })
  method: string;

  @Field({
    ofTexts: true,
    example: { 'content-type': 'application/pdf' },
    description: 'headers to send with the bytes',
  })
  headers: Record<string, string>;

  @Field({ example: 1_795_252_500, description: 'Unix seconds' })
  expires_at: number;
}

export class UploadSessionAnswer extends OkAnswer {
  @Field({ type: UploadView })
  upload: UploadView;

  @Field({ type: FileRecord })
  file: FileRecord;
}

export class FileStatusView {
  @Field({ example: FILE_ID })
  file_id: string;

  @Field({ enum: FILE_STATUSES, example: 'ready' })
  status: FileStatus;
}

export class ConfirmedFileAnswer extends OkAnswer {
  @Field({ type: FileStatusView })
  file: FileStatusView;
}

export class DownloadUrlAnswer extends OkAnswer {
  @Field({ example: FILE_ID })
  file_id: string;

  @Field({ example: LINK })
  download_url: string;

  @Field({ example: 1_795_252_500, description: 'Unix seconds' })
  expires_at: number;

  @Field({ type: FileStatusView })
  file: FileStatusView;
}

/**
 * Returns a file as the API returns it.
 * @param messageId the message that it is attached to, if any
 */
export function fileRecord(file: StoredFile, messageId = ''): FileRecord {
  return {
    file_id: file.id,
    conversation_id: file.conversationId ?? '',
    message_id: messageId,
    file_type: file.fileType,
    file_name: file.fileName,
    mime_type: file.mimeType,
    file_size: file.fileSize,
    status: file.status,
    created_at_unix: Math.floor(file.createdAt.getTime() / 1000),
    width: file.width,
    height: file.height,
  };
}

export function uploadSessionAnswer({ file, target, expiresAt }: UploadSession): UploadSessionAnswer {
  const { url, method, headers } = target;
  return {
    ok: true,
    upload: { file_id: file.id, upload_url: url, method, headers, expires_at: expiresAt },
    file: fileRecord(file),
  };
}

export function downloadUrlAnswer({ file: { id, status }, url, expiresAt }: DownloadUrl): DownloadUrlAnswer {
  return { ok: true, file_id: id, download_url: url, expires_at: expiresAt, file: { file_id: id, status } };
}

import type { UploadSession } from './uploads/create-upload-session.js';
import type { DownloadLink } from './downloads/download-url.js';
import type { FileType } from './uploads/media-types.js';
import type { StoredFile } from './files.queries.js';

/** The contract's file record. */
export interface FileRecord {
  file_id: string;
  conversation_id: string;
  /** Empty until attached. */
  message_id: string;
  file_type: FileType;
  file_name: string;
  mime_type: string;
  /** Bytes. */
  file_size: number;
  status: 'uploading' | 'ready';
  created_at_unix: number;
  /** Pixels; 0 when not applicable. */
  width: number;
  height: number;
}

/** For the OpenAPI document. */
export const FILE_EXAMPLE = {
  file_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51',
  conversation_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
  message_id: '',
  file_type: 'document',
  file_name: 'report.pdf',
  mime_type: 'application/pdf',
  file_size: 48_213,
  status: 'uploading',
  created_at_unix: 1_795_251_600,
  width: 0,
  height: 0,
} satisfies FileRecord;

/** A file as callers see it. @param messageId of the message that it is attached to, once it is */
export function fileRecord(file: StoredFile, messageId = ''): FileRecord {
  return {
    file_id: file.id,
    conversation_id: file.conversationId,
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

/** Answer to POST …/upload_sessions. */
export function uploadSessionView({ file, target, expiresAt }: UploadSession): Record<string, unknown> {
  const { url, method, headers } = target;
  return {
    ok: true,
    upload: { file_id: file.id, upload_url: url, method, headers, expires_at: expiresAt },
    file: fileRecord(file),
  };
}

/** Answer to GET …/download_url. */
export function downloadView({
  file: { id, status },
  url,
  expiresAt,
}: DownloadLink): Record<string, unknown> {
  return { ok: true, file_id: id, download_url: url, expires_at: expiresAt, file: { file_id: id, status } };
}

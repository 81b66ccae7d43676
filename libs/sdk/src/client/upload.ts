import type { ConfirmedFileAnswer, UploadSessionAnswer } from '../api/types.gen.js';
import type { CallOptions, Transport } from './transport.js';

/** A file to upload to a conversation. */
export interface Upload {
  readonly conversation_id: string;
  /**
   * A stream is read into memory first, because a failed transfer is retried. `fs.openAsBlob` of
   * Node.js is not.
   */
  readonly content: Blob | Uint8Array | ReadableStream<Uint8Array> | string;
  /** Default: the name of a `File`. */
  readonly file_name?: string;
  /**
   * Default: the type of a `Blob`, else `application/octet-stream`, which the server refines from
   * the content.
   */
  readonly mime_type?: string;
}

const FILES = '/api/v1/bot/files';

/**
 * Uploads a file in one call: creates a session, transfers the bytes, confirms.
 * @returns the record of the ready file, whose `file_id` goes into `attachments`
 * @throws TielineError, also for rejections of the storage
 */
export async function uploadFile(
  transport: Transport,
  upload: Upload,
  options: Pick<CallOptions, 'signal' | 'timeoutMs'> = {},
): Promise<UploadSessionAnswer['file']> {
  const { conversation_id } = upload;
  const blob = await blobOf(upload.content);
  const body = {
    conversation_id,
    file_name: upload.file_name ?? (blob as { name?: string }).name ?? 'file',
    file_size: blob.size,
    mime_type: upload.mime_type ?? (blob.type || 'application/octet-stream'),
  };
  // All three steps may be repeated: unused sessions are deleted, and a confirmed file stays
  // confirmed.
  const again = { ...options, repeatable: true };
  const session = await transport.call<UploadSessionAnswer>('POST', `${FILES}/upload_sessions`, {
    ...again,
    body,
  });
  await transport.transfer(session.upload, blob, options);
  const path = `${FILES}/${session.file.file_id}/confirm`;
  const { file } = await transport.call<ConfirmedFileAnswer>('POST', path, {
    ...again,
    body: { conversation_id },
  });
  return { ...session.file, ...file };
}

async function blobOf(content: Upload['content']): Promise<Blob> {
  if (content instanceof Blob) return content;
  return content instanceof ReadableStream
    ? await new Response(content).blob()
    : new Blob([content as string]);
}

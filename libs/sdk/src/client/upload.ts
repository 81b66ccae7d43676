import type { ConfirmedFileAnswer, UploadSessionAnswer } from '../api/types.gen.js';
import type { CallOptions, Door } from './door.js';

/** A file for a conversation. */
export interface Upload {
  readonly conversation_id: string;
  /**
   * A stream is read into memory first, since a failed transfer is repeated; `fs.openAsBlob` of
   * Node.js is not.
   */
  readonly content: Blob | Uint8Array | ReadableStream<Uint8Array> | string;
  /** Default: that of a `File`. */
  readonly file_name?: string;
  /**
   * Default: that of a `Blob`, else `application/octet-stream`, which the server refines from the
   * content.
   */
  readonly mime_type?: string;
}

const FILES = '/api/v1/bot/files';

/**
 * Uploads a file in one call: session, bytes to the storage, confirmation.
 * @returns its record, `ready`: its `file_id` goes into `attachments`
 * @throws TielineError also for what the storage refuses
 */
export async function uploadFile(
  door: Door,
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
  // Each of the three may be repeated: a session that is not used is cleared away, and a confirmed
  // file stays confirmed.
  const again = { ...options, repeatable: true };
  const session = await door.call<UploadSessionAnswer>('POST', `${FILES}/upload_sessions`, {
    ...again,
    body,
  });
  await door.transfer(session.upload, blob, options);
  const path = `${FILES}/${session.file.file_id}/confirm`;
  const { file } = await door.call<ConfirmedFileAnswer>('POST', path, {
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

import { confirmFileAsPerson, createUploadSessionAsPerson } from '@tieline/sdk/api';
import type { ApiClient } from '../../api/api-session.js';
import { sendFile } from '../../api/send-file.js';

/**
 * Uploads a file for a conversation and waits until it is ready.
 *
 * @returns its id
 * @throws ApiFailure; AbortError when canceled
 */
export async function uploadFile(
  client: ApiClient,
  conversationId: string,
  file: File,
  sending: Parameters<typeof sendFile>[2],
): Promise<string> {
  const { signal } = sending;
  const { upload } = await createUploadSessionAsPerson({
    client,
    body: {
      conversation_id: conversationId,
      file_name: file.name,
      file_size: file.size,
      mime_type: file.type || 'application/octet-stream',
    },
    signal,
  });
  await sendFile(upload, file, sending);
  await confirmFileAsPerson({ client, path: { file_id: upload.file_id }, body: {}, signal });
  return upload.file_id;
}

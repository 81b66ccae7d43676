import { confirmFileAsPerson, createUploadSessionAsPerson } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { FileTrigger } from 'react-aria-components';
import { useApi } from '../../../app/api/api-context.js';
import type { ApiClient } from '../../../app/api/door.js';
import { useWords } from '../../../app/words/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import styles from '../../../ui/forms/field.module.css';
import { Failure } from '../../../ui/page/failure.js';
import { blockWords } from '../blocks/words.js';
import type { ModalInputProps } from './modal-input-props.js';
import { Wrong } from './wrong.js';

/** Uploads a file for a form; its value is the file's id. */
export function FileInput({ field, conversationId, onChange, error }: ModalInputProps) {
  const words = useWords(blockWords);
  const client = useApi();
  const upload = useMutation({
    mutationFn: (file: File) => uploaded(client, conversationId, file),
    onSuccess: onChange,
  });
  return (
    <div className={styles.field} role="group" aria-label={field.label}>
      <span className={styles.label}>{field.label}</span>
      <FileTrigger onSelect={(files) => files?.[0] && upload.mutate(files[0])}>
        <Button isPending={upload.isPending}>{upload.isPending ? words.uploading : words.upload}</Button>
      </FileTrigger>
      {upload.isSuccess && <span className={styles.hint}>{words.uploaded(upload.variables.name)}</span>}
      {upload.error && <Failure failure={upload.error} />}
      <Wrong error={error} />
    </div>
  );
}

async function uploaded(client: ApiClient, conversationId: string, file: File): Promise<string> {
  const { upload } = await createUploadSessionAsPerson({
    client,
    body: {
      conversation_id: conversationId,
      file_name: file.name,
      file_size: file.size,
      mime_type: file.type || 'application/octet-stream',
    },
  });
  await client.put({
    baseUrl: '',
    url: upload.upload_url,
    headers: upload.headers,
    body: file,
    bodySerializer: null,
    throwOnError: true,
  });
  await confirmFileAsPerson({ client, path: { file_id: upload.file_id }, body: {} });
  return upload.file_id;
}

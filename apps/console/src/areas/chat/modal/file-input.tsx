import { confirmFileAsPerson, createUploadSessionAsPerson } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useApi } from '../../../app/api/api-context.js';
import type { ApiClient } from '../../../app/api/door.js';
import { sendFile } from '../../../app/api/send-file.js';
import { useWords } from '../../../app/words/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import styles from '../../../ui/forms/field.module.css';
import { Failure } from '../../../ui/page/failure.js';
import { blockWords } from '../blocks/words.js';
import own from './file-input.module.css';
import type { ModalInputProps } from './modal-input-props.js';
import { Wrong } from './wrong.js';

/** Uploads a file for a form; its value is the file's id. It says how far it is, and can be stopped. */
export function FileInput({ field, conversationId, onChange, error }: ModalInputProps) {
  const words = useWords(blockWords);
  const client = useApi();
  const [part, setPart] = useState(0);
  const cancel = useRef(new AbortController());
  // A form that is closed sends no more.
  useEffect(() => () => cancel.current.abort(), []);
  const upload = useMutation({
    mutationFn: (file: File) => {
      cancel.current = new AbortController();
      setPart(0);
      onChange('');
      return uploaded(client, conversationId, file, { signal: cancel.current.signal, onProgress: setPart });
    },
    onSuccess: onChange,
  });
  const isStopped = upload.error?.name === 'AbortError';
  return (
    <div className={styles.field} role="group" aria-label={field.label}>
      <span className={styles.label}>{field.label}</span>
      {upload.isPending ? (
        <div className={own.line}>
          <progress value={part} aria-label={words.uploadingFile(upload.variables.name)} />
          <span>{words.uploadingFile(upload.variables.name)}</span>
          <Button isSmall onPress={() => cancel.current.abort()}>
            {words.cancel}
          </Button>
        </div>
      ) : (
        <div className={own.line}>
          <FileTrigger onSelect={(files) => files?.[0] && upload.mutate(files[0])}>
            <Button>{upload.isSuccess ? words.otherFile : words.upload}</Button>
          </FileTrigger>
          {upload.isSuccess && (
            <span className={styles.hint} role="status">
              {words.uploaded(upload.variables.name)}
            </span>
          )}
        </div>
      )}
      {upload.error && !isStopped && <Failure failure={upload.error} />}
      <Wrong error={error} />
    </div>
  );
}

async function uploaded(
  client: ApiClient,
  conversationId: string,
  file: File,
  sending: Parameters<typeof sendFile>[2],
): Promise<string> {
  const { upload } = await createUploadSessionAsPerson({
    client,
    body: {
      conversation_id: conversationId,
      file_name: file.name,
      file_size: file.size,
      mime_type: file.type || 'application/octet-stream',
    },
    signal: sending.signal,
  });
  await sendFile(upload, file, sending);
  await confirmFileAsPerson({ client, path: { file_id: upload.file_id }, body: {}, signal: sending.signal });
  return upload.file_id;
}

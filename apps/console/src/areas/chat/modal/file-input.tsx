import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import styles from '../../../ui/forms/field.module.css';
import { Failure } from '../../../ui/page/failure.js';
import { blockWords } from '../blocks/words.js';
import { uploadFile } from '../upload-file.js';
import own from './file-input.module.css';
import type { ModalInputProps } from './modal-input-props.js';
import { Wrong } from './wrong.js';

/** Uploads a file for a form field and stores its id. Shows progress and can be canceled. */
export function FileInput({ field, conversationId, onChange, error }: ModalInputProps) {
  const words = useWords(blockWords);
  const client = useApi();
  const [part, setPart] = useState(0);
  const cancel = useRef(new AbortController());
  // Closing the form aborts the upload.
  useEffect(() => () => cancel.current.abort(), []);
  const upload = useMutation({
    mutationFn: (file: File) => {
      cancel.current = new AbortController();
      setPart(0);
      onChange('');
      return uploadFile(client, conversationId, file, { signal: cancel.current.signal, onProgress: setPart });
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

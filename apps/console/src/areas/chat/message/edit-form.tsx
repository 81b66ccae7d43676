import { editMessageAsPerson } from '@tieline/sdk/api';
import type { MessageView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TextArea, TextField } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Failure } from '../../../ui/page/failure.js';
import { chatWords } from '../words.js';
import styles from './message.module.css';

/** Form to edit one's own message. */
export function EditForm({ message, onClose }: { message: MessageView; onClose: () => void }) {
  const words = useWords(chatWords);
  const client = useApi();
  const [text, setText] = useState(message.text);
  const save = useMutation({
    mutationFn: () => editMessageAsPerson({ client, path: { id: message.id }, body: { text } }),
    onSuccess: onClose,
  });
  const submit = () => text.trim() !== '' && save.mutate();
  return (
    <form
      className={styles.edit}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField aria-label={words.editLabel} value={text} onChange={setText} autoFocus>
        <TextArea
          className={styles.editText}
          rows={Math.min(10, text.split('\n').length + 1)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.preventDefault();
              onClose();
            }
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault();
              submit();
            }
          }}
        />
      </TextField>
      {save.error && <Failure failure={save.error} />}
      <div className={styles.buttons}>
        <Button isSmall onPress={onClose}>
          {words.cancel}
        </Button>
        <Button isSmall kind="primary" type="submit" isPending={save.isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import field from '../../../ui/forms/field.module.css';
import { failureText } from '../../../ui/page/failure-text.js';
import { uiWords } from '../../../ui/words.js';
import { objects, text, texts } from '../blocks/metadata.js';
import { Wrong } from '../modal/wrong.js';
import own from '../modal/file-input.module.css';
import { uploadFile } from '../upload-file.js';
import type { ElementProps } from './element-props.js';
import { Hint, OptionalMark } from './field-parts.js';
import { slackId } from './slack-ids.js';
import { useSurface } from './surface.js';
import { appWords } from './words.js';

/** Files that are uploaded immediately. The value is the list of their ids. */
export function AppFileInput(props: ElementProps) {
  const { element, label, held, set, isOff, error } = props;
  const words = useWords(appWords);
  const general = useWords(uiWords);
  const client = useApi();
  const surface = useSurface();
  const [uploading, setUploading] = useState('');
  const [failure, setFailure] = useState('');
  // Closing the form aborts the upload.
  const end = useRef<AbortController>(undefined);
  useEffect(() => () => end.current?.abort(), []);
  const most = Number(element.max_files ?? 10);
  const types = texts(element.filetypes).map((type) => `.${type}`);
  const files = objects(held);
  const add = async (chosen: readonly File[]) => {
    setFailure('');
    if (files.length + chosen.length > most) return setFailure(words.tooManyFiles(most));
    end.current = new AbortController();
    const { signal } = end.current;
    const ready = [...files];
    try {
      const conversation = await surface.fileConversation();
      for (const file of chosen) {
        setUploading(file.name);
        const id = await uploadFile(client, conversation, file, { signal, onProgress: () => undefined });
        ready.push({ id: slackId('F', id), name: file.name });
        set([...ready], { isSent: false });
      }
      set(ready);
    } catch (fault) {
      if (!signal.aborted) setFailure(failureText(fault, general));
    }
    setUploading('');
  };
  return (
    <div className={field.field} role="group" aria-label={label}>
      <span className={field.label}>
        {label}
        <OptionalMark {...props} />
      </span>
      {files.map((file) => (
        <div key={text(file.id)} className={own.line}>
          <span role="status">{words.uploaded(text(file.name))}</span>
          <Button
            isSmall
            kind="quiet"
            aria-label={words.remove(text(file.name))}
            onPress={() => set(files.filter((one) => one !== file))}
          >
            {words.clear}
          </Button>
        </div>
      ))}
      <div className={own.line}>
        <FileTrigger
          allowsMultiple={most > 1}
          {...(types.length > 0 && { acceptedFileTypes: types })}
          onSelect={(chosen) => void add([...(chosen ?? [])])}
        >
          <Button isDisabled={isOff || files.length >= most} isPending={uploading !== ''}>
            {words.upload}
          </Button>
        </FileTrigger>
        {uploading !== '' && <span role="status">{words.uploading(uploading)}</span>}
      </div>
      <Hint>{props.hint}</Hint>
      <Wrong error={error ?? (failure || undefined)} />
    </div>
  );
}

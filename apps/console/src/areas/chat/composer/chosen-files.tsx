import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { ApiFailure } from '../../../api/failure.js';
import type { Language } from '../../../language/define-words.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { formatBytes } from '../../../ui/data/formats.js';
import { Cross, Paper } from '../../../ui/icons.js';
import { failureText } from '../../../ui/page/failure-text.js';
import { uiWords } from '../../../ui/words.js';
import styles from './chosen-files.module.css';
import type { ChosenFile, Uploads } from './uploads.js';
import { composerWords } from './words.js';

/** Files of the next message with progress, errors and a button to remove each. */
export function ChosenFiles({ files, uploads }: { files: readonly ChosenFile[]; uploads: Uploads }) {
  const words = useWords(composerWords);
  const { language } = usePreferences();
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={words.files}>
      {files.map((one) => (
        <li key={one.key} className={styles.file} data-failed={one.failure === undefined ? undefined : ''}>
          <Thumbnail file={one.file} />
          <Progress of={one} />
          {one.failure !== undefined && whyNot(one.failure, words, language) === undefined && (
            <Button isSmall onPress={() => uploads.retry(one.key)}>
              {words.retry}
            </Button>
          )}
          <AriaButton
            className={styles.remove}
            aria-label={words.removeFile(one.file.name)}
            onPress={() => uploads.remove(one.key)}
          >
            <Cross size={14} />
          </AriaButton>
        </li>
      ))}
    </ul>
  );
}

function Progress({ of: { file, part, id, failure } }: { of: ChosenFile }) {
  const words = useWords(composerWords);
  const general = useWords(uiWords);
  const { language } = usePreferences();
  return (
    <div className={styles.about}>
      <span className={styles.name}>{file.name}</span>
      {failure !== undefined ? (
        <span className={styles.failure} role="alert">
          {whyNot(failure, words, language) ?? failureText(failure, general)}
        </span>
      ) : id !== undefined ? (
        <span className={styles.size} role="status">
          {words.fileReady(formatBytes(language, file.size))}
        </span>
      ) : (
        <progress value={part} aria-label={words.uploading(file.name)} />
      )}
    </div>
  );
}

/** Explains why a file cannot be sent. */
function whyNot(
  failure: unknown,
  words: (typeof composerWords)['en'],
  language: Language,
): string | undefined {
  if (!(failure instanceof ApiFailure)) return undefined;
  if (failure.code === 'file_too_large')
    return words.tooLarge(formatBytes(language, Number(/\d+/.exec(failure.message)?.[0])));
  if (failure.code === 'unsupported_mime_type') return words.wrongType;
  if (failure.code === 'limit_reached') return words.noSpaceLeft;
  return failure.field === 'file_size' ? words.emptyFile : undefined;
}

/** Shows the image, or an icon for other files. */
function Thumbnail({ file }: { file: File }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!/^image\/(png|jpeg|gif|webp|avif)$/.test(file.type)) return undefined;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address === undefined ? (
    <span className={styles.picture}>
      <Paper size={18} />
    </span>
  ) : (
    <img className={styles.picture} src={address} alt="" />
  );
}

import { Button as AriaButton, FileTrigger } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Clip } from '../../../ui/icons.js';
import styles from './composer.module.css';
import { composerWords } from './words.js';

/** Button to choose files for the next message. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const words = useWords(composerWords);
  return (
    <FileTrigger allowsMultiple onSelect={(files) => onFiles([...(files ?? [])])}>
      <AriaButton className={styles.tool} aria-label={words.attach}>
        <Clip size={18} />
      </AriaButton>
    </FileTrigger>
  );
}

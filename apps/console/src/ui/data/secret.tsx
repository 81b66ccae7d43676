import { useWords } from '../../language/use-words.js';
import { CopyButton } from '../actions/copy.js';
import { Note } from '../page/note.js';
import { uiWords } from '../words.js';
import styles from './secret.module.css';

/**
 * Shows a secret once, with a warning. Callers store it nowhere: not in the query cache, not in the
 * address.
 */
export function SecretOnce({ name, value }: { name: string; value: string }) {
  const words = useWords(uiWords);
  return (
    <div className={styles.secret}>
      <div className={styles.line}>
        <span className={styles.name}>{name}</span>
        <CopyButton text={value} what={name} />
      </div>
      <code className={styles.value} tabIndex={0} role="textbox" aria-readonly aria-label={name}>
        {value}
      </code>
      <Note kind="warning">{words.secretOnce}</Note>
    </div>
  );
}

import { ProgressBar } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { uiWords } from '../words.js';
import styles from './loading.module.css';

/** Loading indicator. Appears after a short delay, because most responses arrive before. */
export function Loading({ isPage, label }: { isPage?: boolean; label?: string }) {
  const words = useWords(uiWords);
  return (
    <div className={isPage ? styles.page : styles.part}>
      <ProgressBar aria-label={label ?? words.loading} isIndeterminate className={styles.bar}>
        <span className={styles.track}>
          <span className={styles.runner} />
        </span>
        {label && <span className={styles.label}>{label}</span>}
      </ProgressBar>
    </div>
  );
}

import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { uiWords } from '../words.js';
import styles from './field.module.css';

/**
 * Error below a field: the given text, else that of the server or browser. Browser messages use the
 * system's language, so the most common ones are replaced by texts in the page's language.
 */
export function Fault({ children }: { children?: ReactNode }) {
  const words = useWords(uiWords);
  return (
    <FieldError className={styles.error}>
      {({ validationDetails: found, validationErrors }) => {
        if (children !== undefined) return children;
        if (found.valueMissing) return words.isMissing;
        return found.typeMismatch ? words.hasWrongForm : validationErrors.join(' ');
      }}
    </FieldError>
  );
}

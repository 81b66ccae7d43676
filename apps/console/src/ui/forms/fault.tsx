import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components';
import { useWords } from '../../app/words/use-words.js';
import { uiWords } from '../words.js';
import styles from './field.module.css';

/**
 * What is wrong with a field, below it: what is given, else what the server or the browser says.
 * Browsers speak the language of the machine; what they say most often is said in the page's.
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

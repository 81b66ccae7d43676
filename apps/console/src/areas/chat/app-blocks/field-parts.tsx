import { useWords } from '../../../language/use-words.js';
import field from '../../../ui/forms/field.module.css';
import styles from './app-blocks.module.css';
import { appWords } from './words.js';

/** Marks a field that may stay empty, after its label. */
export function OptionalMark({ isRequired }: { isRequired: boolean }) {
  const words = useWords(appWords);
  return isRequired ? null : <span className={styles.optional}> ({words.optional})</span>;
}

/** The hint below a field. */
export const Hint = ({ children }: { children: string | undefined }) =>
  children ? <span className={field.hint}>{children}</span> : null;

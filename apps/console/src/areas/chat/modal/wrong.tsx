import styles from '../../../ui/forms/field.module.css';

/** What is wrong with a field that has no place of its own for it. */
export function Wrong({ error }: { error: string | undefined }) {
  return error === undefined ? null : (
    <span className={styles.error} role="alert">
      {error}
    </span>
  );
}

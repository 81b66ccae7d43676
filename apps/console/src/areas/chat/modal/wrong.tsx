import styles from '../../../ui/forms/field.module.css';

/** Shows the error of a field that cannot show it itself. */
export function Wrong({ error }: { error: string | undefined }) {
  return error === undefined ? null : (
    <span className={styles.error} role="alert">
      {error}
    </span>
  );
}

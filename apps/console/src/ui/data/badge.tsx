import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A state in a word. The dot and colour say it again, never alone. */
export function Badge({
  kind,
  children,
}: {
  kind: 'plain' | 'good' | 'warning' | 'bad' | 'info';
  children: ReactNode;
}) {
  return (
    <span className={`${styles.badge} ${styles[kind]}`}>
      <span className={styles.dot} aria-hidden />
      {children}
    </span>
  );
}

import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A state as a word. Dot and color only repeat it. */
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

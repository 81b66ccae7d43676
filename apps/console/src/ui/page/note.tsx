import type { ReactNode } from 'react';
import styles from './note.module.css';

/** A highlighted note. `bad` is announced immediately by screen readers. */
export function Note({ kind, children }: { kind: 'info' | 'good' | 'warning' | 'bad'; children: ReactNode }) {
  return (
    <div className={`${styles.note} ${styles[kind]}`} role={kind === 'bad' ? 'alert' : 'note'}>
      {children}
    </div>
  );
}

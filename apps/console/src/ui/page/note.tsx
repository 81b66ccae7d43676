import type { ReactNode } from 'react';
import styles from './note.module.css';

/** A few words set apart: `bad` is read out at once. */
export function Note({ kind, children }: { kind: 'info' | 'good' | 'warning' | 'bad'; children: ReactNode }) {
  return (
    <div className={`${styles.note} ${styles[kind]}`} role={kind === 'bad' ? 'alert' : 'note'}>
      {children}
    </div>
  );
}

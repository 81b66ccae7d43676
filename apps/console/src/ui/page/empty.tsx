import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  icon?: ReactNode;
  /** What does not exist yet, and its purpose. */
  title: string;
  children?: ReactNode;
  /** The next step. */
  action?: ReactNode;
}

/** Placeholder for an empty list. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {icon && <div className={styles.icon}>{icon}</div>}
      <h2>{title}</h2>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

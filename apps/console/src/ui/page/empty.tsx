import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  icon?: ReactNode;
  /** What is not there yet, and what it is good for. */
  title: string;
  children?: ReactNode;
  /** What to do next. */
  action?: ReactNode;
}

/** Nothing yet: says what to do next. */
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

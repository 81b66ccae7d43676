import type { ReactNode } from 'react';
import { PreferenceSwitches } from '../preferences/preference-switches.js';
import icon from '../theme/icon.svg';
import styles from './sign-in.module.css';

/**
 * Frame of the pages before sign-in: the logo, one card, and the switches for theme and language.
 */
export function SignInFrame({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <div className={styles.mark}>
          <img src={icon} alt="" width={28} height={28} />
          <span>Tieline</span>
        </div>
        <div className={styles.card}>{children}</div>
        {footer && <div className={styles.footer}>{footer}</div>}
      </div>
      <PreferenceSwitches isBrief />
    </main>
  );
}

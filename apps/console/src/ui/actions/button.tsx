import { Button as AriaButton, Link as AriaLink, ProgressBar } from 'react-aria-components';
import type { ButtonProps as AriaButtonProps, LinkProps } from 'react-aria-components';
import type { ReactNode } from 'react';
import { useWords } from '../../language/use-words.js';
import { uiWords } from '../words.js';
import styles from './button.module.css';

type Kind = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Appearance {
  /** Default `secondary`. At most one `primary` per view. */
  kind?: Kind;
  isSmall?: boolean;
  isWide?: boolean;
  /** Shown before the text. */
  icon?: ReactNode;
  children?: ReactNode;
}

const classes = ({ kind = 'secondary', isSmall, isWide }: Appearance) =>
  [styles.button, styles[kind], isSmall && styles.small, isWide && styles.wide].filter(Boolean).join(' ');

/**
 * A button. While `isPending` it keeps its size, cannot be pressed, and announces this to screen
 * readers.
 */
export function Button({
  kind,
  isSmall,
  isWide,
  icon,
  children,
  ...rest
}: Appearance & Omit<AriaButtonProps, 'children'>) {
  const words = useWords(uiWords);
  return (
    <AriaButton {...rest} className={classes({ kind, isSmall, isWide })}>
      {rest.isPending && (
        <ProgressBar aria-label={words.working} isIndeterminate className={styles.spinner}>
          <span aria-hidden />
        </ProgressBar>
      )}
      <span className={styles.content}>
        {icon}
        {children}
      </span>
    </AriaButton>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  kind,
  isSmall,
  isWide,
  icon,
  children,
  ...rest
}: Appearance & Omit<LinkProps, 'children'>) {
  return (
    <AriaLink {...rest} className={classes({ kind, isSmall, isWide })}>
      <span className={styles.content}>
        {icon}
        {children}
      </span>
    </AriaLink>
  );
}

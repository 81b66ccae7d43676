import type { ReactNode } from 'react';
import { Button, Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { Dots } from '../icons.js';
import { uiWords } from '../words.js';
import styles from './menu.module.css';

/** An item of a {@link Menu}. */
interface MenuAction {
  id: string;
  label: string;
  onAction?: () => void;
  href?: string;
  /** Destructive. A confirmation follows. */
  isDanger?: boolean;
}

interface MenuProps {
  actions: readonly MenuAction[];
  /** Accessible name. */
  label?: string;
  /** Replaces the three dots. */
  trigger?: ReactNode;
  /** Style of a custom trigger. */
  className?: string;
}

/** A button with a menu of further actions. */
export function Menu({ actions, label, trigger, className }: MenuProps) {
  const words = useWords(uiWords);
  return (
    <MenuTrigger>
      <Button
        className={className ?? styles.dots}
        aria-label={trigger ? undefined : (label ?? words.actions)}
      >
        {trigger ?? <Dots />}
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <AriaMenu aria-label={label ?? words.actions} className={styles.menu}>
          {actions.map(({ id, label: text, onAction, href, isDanger }) => (
            <MenuItem
              key={id}
              id={id}
              onAction={onAction}
              href={href}
              className={`${styles.item} ${isDanger ? styles.danger : ''}`}
            >
              {text}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

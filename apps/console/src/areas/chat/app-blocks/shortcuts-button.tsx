import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import menu from '../../../ui/actions/menu.module.css';
import { Bolt } from '../../../ui/icons.js';
import styles from './shortcuts.module.css';
import { useRunShortcut, useShortcuts } from './use-shortcuts.js';
import { appWords } from './words.js';

/** Menu of the shortcuts of bots. Without any there is no button. */
export function ShortcutsButton({ className }: { className?: string }) {
  const words = useWords(appWords);
  const shortcuts = useShortcuts('global');
  const run = useRunShortcut();
  if (shortcuts.length === 0) return null;
  return (
    <MenuTrigger>
      <Button className={className} aria-label={words.shortcuts}>
        <Bolt size={18} />
      </Button>
      <Popover className={menu.popover} placement="top start">
        <Menu aria-label={words.shortcuts} className={menu.menu}>
          {shortcuts.map(({ id, name, bot_name: bot, description }) => (
            <MenuItem key={id} id={id} textValue={name} className={menu.item} onAction={() => run({ id })}>
              <span>{name}</span>
              <span className={styles.hint}>{description === '' ? bot : `${bot}: ${description}`}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

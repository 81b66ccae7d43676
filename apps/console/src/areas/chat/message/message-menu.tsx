import { pinMessageAsPerson, unpinMessageAsPerson } from '@tieline/sdk/api';
import type { MessageView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { Menu, MenuItem, Popover, Text } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { isAdmin } from '../../../app/session/is-admin.js';
import { usePerson } from '../../../app/session/session.js';
import { useWords } from '../../../language/use-words.js';
import styles from '../../../ui/actions/menu.module.css';
import { useToast } from '../../../ui/overlays/toast.js';
import shortcutStyles from '../app-blocks/shortcuts.module.css';
import { useRunShortcut, useShortcuts } from '../app-blocks/use-shortcuts.js';
import { chatWords } from '../words.js';

interface MessageMenuProps {
  message: MessageView;
  isMember: boolean;
  isThread: boolean;
  name: string;
  trigger: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** Menu with further actions on a message. */
export function MessageMenu(props: MessageMenuProps) {
  const { message, isMember, isThread, name, trigger, onClose, onEdit, onDelete } = props;
  const words = useWords(chatWords);
  const client = useApi();
  const person = usePerson();
  const toast = useToast();
  const queries = useQueryClient();
  const shortcuts = useShortcuts('message');
  const runShortcut = useRunShortcut();
  const path = { id: message.id };
  const isOwn = message.author_id === person.id && message.author_type === 'user';
  const mayDelete = isOwn || isAdmin(person.role);
  const isPinned = message.pinned_at !== undefined;
  const pin = useMutation({
    mutationFn: () =>
      isPinned ? unpinMessageAsPerson({ client, path }) : pinMessageAsPerson({ client, path }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['chat', 'pins'] }),
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(() => toast({ kind: 'good', text: words.copied }));
  return (
    <Popover
      aria-label={words.actionsOf(name)}
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.popover}
      placement="bottom end"
    >
      <Menu aria-label={words.actionsOf(name)} className={styles.menu} autoFocus="first" onClose={onClose}>
        {isOwn && isMember && (
          <MenuItem className={styles.item} onAction={onEdit}>
            {words.edit}
          </MenuItem>
        )}
        {isMember &&
          shortcuts.map((shortcut) => (
            <MenuItem
              key={shortcut.id}
              textValue={shortcut.name}
              className={styles.item}
              onAction={() => runShortcut({ id: shortcut.id, message_id: message.id })}
            >
              <Text slot="label">{shortcut.name}</Text>
              <Text slot="description" className={shortcutStyles.hint}>
                {shortcut.bot_name}
              </Text>
            </MenuItem>
          ))}
        {isMember && !isThread && (
          <MenuItem className={styles.item} onAction={() => pin.mutate()}>
            {isPinned ? words.unpin : words.pin}
          </MenuItem>
        )}
        <MenuItem className={styles.item} onAction={() => copy(message.text)}>
          {words.copyText}
        </MenuItem>
        {message.permalink !== undefined && (
          <MenuItem className={styles.item} onAction={() => copy(message.permalink ?? '')}>
            {words.copyLink}
          </MenuItem>
        )}
        <MenuItem className={styles.item} onAction={() => copy(message.id)}>
          {words.copyId}
        </MenuItem>
        {mayDelete && (
          <MenuItem className={`${styles.item} ${styles.danger}`} onAction={onDelete}>
            {words.delete}
          </MenuItem>
        )}
      </Menu>
    </Popover>
  );
}

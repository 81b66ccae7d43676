import type { ConversationView, MessageView } from '@tieline/sdk/api';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Dots, Replies, Smile } from '../../../ui/icons.js';
import { chatWords } from '../words.js';
import { DeleteMessage } from './delete-message.js';
import { MessageMenu } from './message-menu.js';
import styles from './message.module.css';
import { EmojiPanel } from './reactions.js';

interface ActionsProps {
  message: MessageView;
  conversation: ConversationView;
  name: string;
  isThread: boolean;
  onEdit: () => void;
}

/**
 * Actions on a message, shown on hover or focus. Plain buttons, because every visible message has
 * them. Menus are created when opened.
 */
export function MessageActions({ message, conversation, name, isThread, onEdit }: ActionsProps) {
  const words = useWords(chatWords);
  const navigate = useNavigate();
  const [open, setOpen] = useState<'emoji' | 'menu' | 'delete' | undefined>();
  const emoji = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(undefined);
  // A menu closes after the chosen action has opened something else.
  const closeMenu = () => setOpen((now) => (now === 'menu' ? undefined : now));
  const openThread = () =>
    void navigate({
      to: '/chat/$conversationId',
      params: { conversationId: conversation.id },
      search: { thread: message.id },
    });
  return (
    <div className={styles.actions}>
      {conversation.is_member && (
        <button
          ref={emoji}
          type="button"
          className={styles.action}
          aria-label={words.react}
          aria-haspopup="dialog"
          aria-expanded={open === 'emoji'}
          onClick={() => setOpen('emoji')}
        >
          <Smile size={15} />
        </button>
      )}
      {!isThread && (
        <button type="button" className={styles.action} aria-label={words.reply} onClick={openThread}>
          <Replies size={15} />
        </button>
      )}
      <button
        ref={menu}
        type="button"
        className={styles.action}
        aria-label={words.actionsOf(name)}
        aria-haspopup="menu"
        aria-expanded={open === 'menu'}
        onClick={() => setOpen('menu')}
      >
        <Dots size={15} />
      </button>
      {open === 'emoji' && <EmojiPanel message={message} trigger={emoji} onClose={close} />}
      {open === 'menu' && (
        <MessageMenu
          message={message}
          isMember={conversation.is_member}
          isThread={isThread}
          name={name}
          trigger={menu}
          onClose={closeMenu}
          onEdit={onEdit}
          onDelete={() => setOpen('delete')}
        />
      )}
      {open === 'delete' && <DeleteMessage message={message} onClose={close} />}
    </div>
  );
}

import type { ConversationView } from '@tieline/sdk/api';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Cross } from '../../../ui/icons.js';
import styles from '../chat.module.css';
import { Composer } from '../composer/composer.js';
import { useRoom, useRoomState } from '../live/rooms-context.js';
import { inRoom } from '../log/room.js';
import { MessageBody } from '../message/message-body.js';
import { ThreadTasks } from '../message/tasks.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import { Timeline } from './timeline.js';

/** Replies to a message, next to its conversation. */
export function ThreadPanel({ conversation, rootId }: { conversation: ConversationView; rootId: string }) {
  const words = useWords(chatWords);
  const names = useNames();
  const navigate = useNavigate();
  const room = useRoom(conversation.id, rootId);
  const root = inRoom(useRoomState(useRoom(conversation.id)), rootId);
  useEffect(() => void room.open(), [room]);
  const close = () =>
    void navigate({ to: '/chat/$conversationId', params: { conversationId: conversation.id }, search: {} });
  return (
    <section
      className={styles.thread}
      aria-label={words.thread}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && close()}
    >
      <header className={styles.head}>
        <h2>{words.thread}</h2>
        <span className={styles.space} />
        <AriaButton className={styles.iconButton} aria-label={words.closeThread} onPress={close} autoFocus>
          <Cross size={16} />
        </AriaButton>
      </header>
      {root && (
        <div className={styles.root}>
          <strong>{names.author(root)}</strong>
          <MessageBody message={root} isStill />
        </div>
      )}
      <ThreadTasks conversation={conversation} rootId={rootId} />
      <Timeline room={room} conversation={conversation} rootId={rootId} />
      {conversation.is_member && conversation.archived_at === null && (
        <Composer conversation={conversation} rootId={rootId} />
      )}
    </section>
  );
}

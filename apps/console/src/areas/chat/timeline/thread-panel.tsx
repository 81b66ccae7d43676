import { getMessageAsPerson } from '@tieline/sdk/api';
import type { ConversationView, MessageView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button as AriaButton, Link } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Cross, Search } from '../../../ui/icons.js';
import styles from '../chat.module.css';
import { Composer } from '../composer/composer.js';
import { useRoom, useRoomState } from '../live/rooms-context.js';
import { inRoom } from '../log/room.js';
import { MessageBody } from '../message/message-body.js';
import { ThreadTasks } from '../message/tasks.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import { StatusLine } from './status-line.js';
import { Timeline } from './timeline.js';

interface ThreadPanelProps {
  conversation: ConversationView;
  rootId: string;
  /** `msg_index` of the reply to start at. Default: the latest one. */
  at?: number | undefined;
}

/** Replies to a message, next to its conversation. */
export function ThreadPanel({ conversation, rootId, at }: ThreadPanelProps) {
  const words = useWords(chatWords);
  const names = useNames();
  const navigate = useNavigate();
  const room = useRoom(conversation.id, rootId);
  const root = useRoot(conversation.id, rootId);
  useEffect(() => void room.open(at), [room, at]);
  const close = () =>
    void navigate({ to: '/chat/$conversationId', params: { conversationId: conversation.id }, search: {} });
  return (
    <section
      className={styles.thread}
      aria-label={words.thread}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && close()}
    >
      <header className={styles.head}>
        <h2>{root?.thread_title ?? words.thread}</h2>
        <span className={styles.space} />
        <Link className={styles.iconButton} aria-label={words.searchThread} href={`/search?thread=${rootId}`}>
          <Search size={16} />
        </Link>
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
      <Timeline room={room} conversation={conversation} rootId={rootId} startAt={at} />
      <StatusLine conversationId={conversation.id} rootId={rootId} />
      {conversation.is_member && conversation.archived_at === null && (
        <Composer conversation={conversation} rootId={rootId} />
      )}
    </section>
  );
}

/** Returns the root message, from the server if the conversation has not loaded it. */
function useRoot(conversationId: string, rootId: string): MessageView | undefined {
  const client = useApi();
  const state = useRoomState(useRoom(conversationId));
  const loaded = inRoom(state, rootId);
  const { data } = useQuery({
    queryKey: ['chat', 'message', rootId],
    queryFn: () => getMessageAsPerson({ client, path: { id: rootId } }),
    enabled: state.isLoaded && loaded === undefined,
    staleTime: 60_000,
  });
  return loaded ?? data?.message;
}

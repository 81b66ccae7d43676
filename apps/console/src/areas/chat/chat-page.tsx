import { useQueryClient } from '@tanstack/react-query';
import { lazyRouteComponent, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useWords } from '../../language/use-words.js';
import { Bubble } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Loading } from '../../ui/page/loading.js';
import { Views } from './app-blocks/views.js';
import type { ChatSearch } from './chat-search.js';
import styles from './chat.module.css';
import { ConversationList } from './conversations/conversation-list.js';
import { useConversations } from './conversations/use-conversations.js';
import { LiveProvider, useLiveEvents } from './live/live-context.js';
import { RoomsProvider } from './live/rooms-context.js';
import { StatusProvider } from './live/status-context.js';
import { ModalProvider } from './modal/modal-provider.js';
import { NamesProvider } from './names.js';
import { chatWords } from './words.js';

/** Most of the area's code is only needed for an open conversation, so it is loaded then. */
const ConversationPane = lazyRouteComponent(
  () => import('./conversations/conversation-pane.js'),
  'ConversationPane',
);

/** The list of conversations next to the open one. */
export function ChatPage() {
  return (
    <LiveProvider>
      <NamesProvider>
        <RoomsProvider>
          <StatusProvider>
            <ModalProvider>
              <Chat />
              <Views />
            </ModalProvider>
          </StatusProvider>
        </RoomsProvider>
      </NamesProvider>
    </LiveProvider>
  );
}

function Chat() {
  const words = useWords(chatWords);
  const { conversationId } = useParams({ strict: false });
  const search: ChatSearch = useSearch({ strict: false });
  const list = useConversations(conversationId);
  const queries = useQueryClient();
  useLiveEvents(({ event }) => {
    if (event === 'approval.created' || event === 'approval.updated')
      void queries.invalidateQueries({ queryKey: ['approvals', 'count'] }, { cancelRefetch: false });
  });
  useEffect(() => {
    document.title = `${words.chat} · Tieline`;
  }, [words]);
  return (
    <div className={styles.chat} data-open={conversationId === undefined ? undefined : ''}>
      <ConversationList list={list} openId={conversationId} />
      {conversationId === undefined ? (
        <div className={styles.nothing}>
          {list.all.length > 0 && (
            <Empty icon={<Bubble size={28} />} title={words.pick}>
              {words.pickText}
            </Empty>
          )}
        </div>
      ) : (
        <Suspense fallback={<Coming />}>
          <ConversationPane
            key={conversationId}
            conversationId={conversationId}
            threadId={search.thread}
            at={search.at}
            reply={search.reply}
            isHome={search.tab === 'home'}
          />
        </Suspense>
      )}
    </div>
  );
}

const Coming = () => (
  <div className={styles.pane}>
    <Loading isPage />
  </div>
);

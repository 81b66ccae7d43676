import type { ConversationView } from '@tieline/sdk/api';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { Input, Link, SearchField } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Button, ButtonLink } from '../../../ui/actions/button.js';
import { Plus, Search } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { useNames } from '../names.js';
import { Notifications } from '../notifications/notifications.js';
import { chatWords } from '../words.js';
import styles from './conversation-list.module.css';
import { ConversationMark } from './conversation-mark.js';
import type { Conversations } from './use-conversations.js';

const NewConversation = lazyRouteComponent(() => import('./new-conversation.js'), 'NewConversation');

/** All conversations by kind, with a search by name. */
export function ConversationList({ list, openId }: { list: Conversations; openId?: string | undefined }) {
  const words = useWords(chatWords);
  const names = useNames();
  const [typed, setTyped] = useState('');
  const [isMaking, setMaking] = useState(false);
  const wanted = typed.trim().toLowerCase();
  const shown = list.all
    .filter(({ type }) => type !== 'thread')
    .map((conversation) => ({ conversation, name: names.conversation(conversation) }))
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const groups = (
    [
      [
        words.channels,
        shown.filter(({ conversation: c }) => c.is_member && !c.is_direct && c.type !== 'voice'),
      ],
      [words.direct, shown.filter(({ conversation: c }) => c.is_direct)],
      [words.voice, shown.filter(({ conversation: c }) => c.is_member && c.type === 'voice' && !c.is_direct)],
      [words.notJoined, shown.filter(({ conversation: c }) => !c.is_member && !c.is_direct)],
    ] as const
  ).filter(([, conversations]) => conversations.length > 0);
  return (
    <section className={styles.side} aria-label={words.conversations}>
      <div className={styles.head}>
        <h1>{words.chat}</h1>
        <ButtonLink isSmall aria-label={words.search} icon={<Search size={14} />} href="/search" />
        <Notifications />
        <Button
          isSmall
          aria-label={words.newConversation}
          icon={<Plus size={14} />}
          onPress={() => setMaking(true)}
        />
      </div>
      <SearchField aria-label={words.find} value={typed} onChange={setTyped} className={styles.find}>
        <Input className={styles.input} placeholder={words.find} />
      </SearchField>
      {list.isPending && <Loading />}
      {list.error != null && <Failure failure={list.error} onRetry={list.retry} />}
      {!list.isPending && list.error == null && groups.length === 0 && (
        <Nothing isFiltered={wanted !== ''} onNew={() => setMaking(true)} />
      )}
      <nav aria-label={words.conversations} className={styles.groups}>
        {groups.map(([title, conversations]) => (
          <div key={title}>
            <h2>{title}</h2>
            <ul>
              {conversations.map(({ conversation, name }) => (
                <li key={conversation.id}>
                  <Line
                    conversation={conversation}
                    name={name}
                    isOpen={conversation.id === openId}
                    unread={list.unread.get(conversation.id) ?? 0}
                  />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {isMaking && (
        <Suspense>
          <NewConversation onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </section>
  );
}

function Nothing({ isFiltered, onNew }: { isFiltered: boolean; onNew: () => void }) {
  const words = useWords(chatWords);
  if (isFiltered) return <p className={styles.none}>{words.noneFound}</p>;
  return (
    <Empty title={words.noConversations} action={<Button onPress={onNew}>{words.newConversation}</Button>}>
      {words.noConversationsText}
    </Empty>
  );
}

interface LineProps {
  conversation: ConversationView;
  name: string;
  isOpen: boolean;
  unread: number;
}

function Line({ conversation, name, isOpen, unread }: LineProps) {
  const words = useWords(chatWords);
  return (
    <Link
      href={`/chat/${conversation.id}`}
      className={styles.line}
      aria-current={isOpen ? 'page' : undefined}
      data-quiet={
        conversation.muted || conversation.archived_at !== null || !conversation.is_member ? '' : undefined
      }
    >
      <ConversationMark conversation={conversation} />
      <span className={styles.name}>{name}</span>
      {conversation.archived_at !== null && <span className={styles.state}>{words.archivedShort}</span>}
      {conversation.muted && <span className={styles.state}>{words.muted}</span>}
      {unread > 0 && !conversation.muted && (
        <span className={styles.unread} aria-label={words.unread(unread)}>
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  );
}

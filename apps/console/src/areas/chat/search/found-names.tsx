import { openDmAsPerson, searchConversationsAsPerson, searchPeopleAsPerson } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button as AriaButton, Link } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Bubble, Robot } from '../../../ui/icons.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Failure } from '../../../ui/page/failure.js';
import { Section } from '../../../ui/page/page.js';
import { ConversationMark } from '../conversations/conversation-mark.js';
import { conversationsKey } from '../conversations/use-conversations.js';
import { useNames } from '../names.js';
import { resultProps } from './result-keys.js';
import styles from './search.module.css';
import { searchWords } from './words.js';

/** Shown before and after “Show more”. */
const FEW = 5;
const MANY = 50;
/** Longest name that the server accepts. */
const MAX_NAME = 100;

/** People and bots whose name contains the words. Opens the direct messages with one. */
export function FoundPeople({ q }: { q: string }) {
  const words = useWords(searchWords);
  const client = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [limit, setLimit] = useState(FEW);
  const { data, error, refetch } = useQuery({
    queryKey: ['search', 'people', q, limit],
    queryFn: ({ signal }) => searchPeopleAsPerson({ client, query: { q, limit: limit + 1 }, signal }),
    ...namesOptions(q),
  });
  const open = useMutation({
    mutationFn: (id: string) => openDmAsPerson({ client, body: { user_id: id } }),
    onSuccess: ({ conversation_id: conversationId }) => {
      void queries.invalidateQueries({ queryKey: conversationsKey });
      return navigate({ to: '/chat/$conversationId', params: { conversationId }, search: {} });
    },
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
  return (
    <Found
      title={words.people}
      found={data?.people ?? []}
      limit={limit}
      onMore={() => setLimit(MANY)}
      failure={error}
      onRetry={refetch}
    >
      {({ id, type, display_name: name }) => (
        <AriaButton className={styles.name} onPress={() => open.mutate(id)} isDisabled={open.isPending}>
          {type === 'bot' ? <Robot size={16} /> : <Bubble size={16} />}
          <span>{name}</span>
          {type === 'bot' && <small>{words.bot}</small>}
        </AriaButton>
      )}
    </Found>
  );
}

/** Channels and voice chats whose name contains the words. */
export function FoundConversations({ q }: { q: string }) {
  const words = useWords(searchWords);
  const client = useApi();
  const names = useNames();
  const [limit, setLimit] = useState(FEW);
  const { data, error, refetch } = useQuery({
    queryKey: ['search', 'conversations', q, limit],
    queryFn: ({ signal }) => searchConversationsAsPerson({ client, query: { q, limit: limit + 1 }, signal }),
    ...namesOptions(q),
  });
  return (
    <Found
      title={words.conversations}
      found={data?.conversations ?? []}
      limit={limit}
      onMore={() => setLimit(MANY)}
      failure={error}
      onRetry={refetch}
    >
      {(conversation) => (
        <Link className={styles.name} href={`/chat/${conversation.id}`}>
          <ConversationMark conversation={conversation} size={16} />
          <span>{names.conversation(conversation)}</span>
          {conversation.archived_at !== null && <small>{words.archived}</small>}
        </Link>
      )}
    </Found>
  );
}

const namesOptions = (q: string) => ({
  enabled: q.length <= MAX_NAME,
  placeholderData: <T,>(before: T) => before,
  staleTime: 30_000,
});

interface FoundProps<Row> {
  title: string;
  found: readonly Row[];
  limit: number;
  onMore: () => void;
  failure: unknown;
  onRetry: () => unknown;
  children: (row: Row) => ReactNode;
}

/** A section of names. Absent if there are none. */
function Found<Row extends { id: string }>(props: FoundProps<Row>) {
  const { title, found, limit, onMore, failure, onRetry, children } = props;
  const words = useWords(searchWords);
  const isRefused = failure instanceof ApiFailure && failure.status === 400;
  if (isRefused || (failure == null && found.length === 0)) return null;
  return (
    <Section title={title} isPlain>
      {failure != null && <Failure failure={failure} onRetry={onRetry} />}
      <ul className={styles.names}>
        {found.slice(0, limit).map((row) => (
          <li key={row.id} {...resultProps}>
            {children(row)}
          </li>
        ))}
      </ul>
      {found.length > limit && limit < MANY && (
        <div>
          <Button isSmall onPress={onMore}>
            {words.showAll}
          </Button>
        </div>
      )}
    </Section>
  );
}

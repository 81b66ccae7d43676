import { searchMessagesAsPerson } from '@tieline/sdk/api';
import type { ConversationView, FileRecord, SearchResultView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { Paged } from '../../../ui/data/more.js';
import { Time } from '../../../ui/data/time.js';
import { Search } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Section } from '../../../ui/page/page.js';
import message from '../message/message.module.css';
import { useNames } from '../names.js';
import { searchQuery } from './message-search.js';
import type { MessageSearch } from './message-search.js';
import { resultProps } from './result-keys.js';
import styles from './search.module.css';
import { snippet } from './snippet.js';
import { searchWords } from './words.js';

/** Results per page. */
const PAGE = 20;

interface FoundMessagesProps {
  search: MessageSearch;
  conversations: readonly ConversationView[];
}

/** Found messages, newest first, page by page. */
export function FoundMessages({ search, conversations }: FoundMessagesProps) {
  const words = useWords(searchWords);
  const client = useApi();
  const query = useInfiniteQuery({
    queryKey: ['search', 'messages', search],
    queryFn: ({ pageParam: cursor, signal }) =>
      // A newer search aborts this one.
      searchMessagesAsPerson({ client, query: { ...searchQuery(search), limit: PAGE, cursor }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    placeholderData: (before) => before,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
  if (query.error instanceof ApiFailure && query.error.status === 400)
    return (
      <Empty icon={<Search size={28} />} title={words.unclear}>
        {words.unclearText}
      </Empty>
    );
  const count = query.data?.pages.reduce((sum, { results }) => sum + results.length, 0) ?? 0;
  const state = query.isFetching ? words.searching : words.found(count, query.hasNextPage);
  return (
    <Section title={words.messages} isPlain>
      <p className={message.hidden} role="status">
        {state}
      </p>
      <div data-former={query.isPlaceholderData ? '' : undefined} className={styles.messages}>
        <Paged query={query} rows={(page) => page.results}>
          {(results) =>
            results.length === 0 ? (
              <Empty icon={<Search size={28} />} title={words.none}>
                {words.noneText}
              </Empty>
            ) : (
              <ul className={styles.results}>
                {results.map((result) => (
                  <li key={result.message.id} {...resultProps}>
                    <Result of={result} conversations={conversations} />
                  </li>
                ))}
              </ul>
            )
          }
        </Paged>
      </div>
    </Section>
  );
}

interface ResultProps {
  of: SearchResultView;
  conversations: readonly ConversationView[];
}

/** A found message. Opens it in its conversation or thread. */
function Result({ of: { message: found, conversation, highlights }, conversations }: ResultProps) {
  const words = useWords(searchWords);
  const names = useNames();
  const pieces = snippet(found.text, highlights, names.of);
  const files = (found.attachments as unknown as FileRecord[]).map(({ file_name: name }) => name);
  const place = conversations.find(({ id }) => id === conversation.id);
  const where =
    conversation.type === 'thread'
      ? conversation.name === ''
        ? words.aThread
        : words.threadIn(conversation.name)
      : place
        ? names.conversation(place)
        : conversation.name || words.direct;
  return (
    <Link href={`/c/${conversation.id}/${found.id}`} className={styles.result}>
      <span className={styles.resultHead}>
        <strong>{names.author(found)}</strong>
        <span>{where}</span>
        <Time at={found.sent_at} />
      </span>
      {pieces.length > 0 && (
        <span className={styles.text}>
          {pieces.map(({ text, isMatch }, index) =>
            isMatch ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </span>
      )}
      {files.length > 0 && <span className={styles.files}>{files.join(', ')}</span>}
      {pieces.length === 0 && files.length === 0 && <span className={styles.files}>{words.noText}</span>}
    </Link>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWords } from '../../../language/use-words.js';
import { Search as SearchIcon } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Page } from '../../../ui/page/page.js';
import { useConversations } from '../conversations/use-conversations.js';
import { LiveProvider } from '../live/live-context.js';
import { NamesProvider } from '../names.js';
import { Filters } from './filters.js';
import { FoundConversations, FoundPeople } from './found-names.js';
import { FoundMessages } from './found-messages.js';
import { isFiltered, messageSearch } from './message-search.js';
import type { MessageSearch } from './message-search.js';
import { moveAmongResults } from './result-keys.js';
import { SearchBox } from './search-box.js';
import styles from './search.module.css';
import { searchWords } from './words.js';

/** Search of messages, people and conversations (docs/search.md). */
export function SearchPage() {
  return (
    <LiveProvider>
      <NamesProvider>
        <Search />
      </NamesProvider>
    </LiveProvider>
  );
}

function Search() {
  const words = useWords(searchWords);
  const navigate = useNavigate();
  const search: MessageSearch = useSearch({ strict: false });
  const { all } = useConversations(undefined);
  const conversations = all.filter(({ type }) => type !== 'thread');
  // Replaces the entry, so that the back button leaves the search.
  const change = (part: MessageSearch) =>
    void navigate({ to: '/search', search: messageSearch({ ...search, ...part }), replace: true });
  const { q } = search;
  return (
    <Page title={words.title}>
      <div className={styles.search} onKeyDown={moveAmongResults}>
        <SearchBox value={q ?? ''} onSearch={(text) => change({ q: text })} />
        <Filters search={search} conversations={conversations} onChange={change} />
        {q !== undefined && !isFiltered(search) && (
          <>
            <FoundPeople q={q} />
            <FoundConversations q={q} />
          </>
        )}
        {q === undefined && !isFiltered(search) ? (
          <Empty icon={<SearchIcon size={28} />} title={words.start}>
            {words.startText}
          </Empty>
        ) : (
          <FoundMessages search={search} conversations={conversations} />
        )}
      </div>
    </Page>
  );
}

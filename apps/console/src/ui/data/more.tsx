import type { ReactNode } from 'react';
import { useWords } from '../../language/use-words.js';
import { Button } from '../actions/button.js';
import { Failure } from '../page/failure.js';
import { Loading } from '../page/loading.js';
import { uiWords } from '../words.js';
import styles from './more.module.css';

interface Pages<T> {
  data?: { pages: readonly T[] };
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

/**
 * A paged list, newest first, from `useInfiniteQuery`, with states for loading and failure and a
 * button for more.
 *
 * @example
 *
 * ```tsx
 * <Paged query={bots} rows={(page) => page.bots}>{(bots) => <Table … rows={bots} />}</Paged>
 * ```
 */
export function Paged<T, Row>({
  query,
  rows,
  children,
}: {
  query: Pages<T>;
  rows: (page: T) => readonly Row[];
  children: (rows: Row[]) => ReactNode;
}) {
  const words = useWords(uiWords);
  if (!query.data)
    return query.error ? <Failure failure={query.error} onRetry={query.refetch} /> : <Loading />;
  return (
    <div className={styles.pages}>
      {children(query.data.pages.flatMap(rows))}
      {query.error ? <Failure failure={query.error} onRetry={query.refetch} /> : null}
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button onPress={() => query.fetchNextPage()} isPending={query.isFetchingNextPage}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  );
}

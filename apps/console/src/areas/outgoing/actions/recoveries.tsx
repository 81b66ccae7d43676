import { cancelRecoveryAsAdmin, listRecoveriesAsAdmin } from '@tieline/sdk/api';
import type { RecoveryView, SubscriptionView } from '@tieline/sdk/api';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { Empty } from '../../../ui/page/empty.js';
import { outgoingWords } from '../words.js';
import styles from './actions.module.css';

const KINDS = { running: 'info', done: 'good', cancelled: 'plain' } as const;

/** Recoveries with their progress and a button to stop them. */
export function Recoveries({ subscription: { id } }: { subscription: SubscriptionView }) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const query = useInfiniteQuery({
    queryKey: ['outgoing', 'recoveries', id],
    queryFn: ({ pageParam }) => listRecoveriesAsAdmin({ client, path: { id }, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 3000,
  });
  return (
    <Paged query={query} rows={(page) => page.recoveries}>
      {(recoveries) => (
        <Table
          label={words.recoveries}
          rows={recoveries}
          rowId={(recovery) => recovery.id}
          empty={<Empty title={words.noRecoveries}>{words.noRecoveriesText}</Empty>}
          columns={[
            { id: 'begun', title: words.begun, cell: (one) => <Time at={one.created_at} /> },
            {
              id: 'only',
              title: words.recoverOnly,
              cell: ({ only }) => (only === 'failed' ? words.onlyFailed : words.onlyAll),
            },
            { id: 'since', title: words.recoverSince, isMinor: true, cell: (one) => <Time at={one.since} /> },
            { id: 'progress', title: words.progress, cell: (one) => <Progress recovery={one} /> },
            {
              id: 'state',
              title: words.state,
              cell: (one) => (
                <span className={styles.progress}>
                  <Badge kind={KINDS[one.state]}>{words[one.state]}</Badge>
                  {one.state === 'running' && <Stop recovery={one} />}
                </span>
              ),
            },
          ]}
        />
      )}
    </Paged>
  );
}

function Progress({ recovery: { done, total } }: { recovery: RecoveryView }) {
  const words = useWords(outgoingWords);
  return (
    <span className={styles.progress}>
      <progress className={styles.bar} value={done} max={Math.max(total, 1)} aria-label={words.progress} />
      {words.of(done, total)}
    </span>
  );
}

function Stop({ recovery: { id } }: { recovery: RecoveryView }) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const queries = useQueryClient();
  const stop = useMutation({
    mutationFn: () => cancelRecoveryAsAdmin({ client, path: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['outgoing', 'recoveries'] }),
  });
  return (
    <Button isSmall onPress={() => stop.mutate()} isPending={stop.isPending}>
      {words.cancelRecovery}
    </Button>
  );
}

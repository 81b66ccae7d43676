import { listOutgoingDeliveriesAsAdmin } from '@tieline/sdk/api';
import type { DeliveryView, SubscriptionView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { DeliveryState } from '../../../ui/deliveries/delivery-state.js';
import { EventName } from '../../../ui/deliveries/event-name.js';
import { useLastAttemptColumns } from '../../../ui/deliveries/last-attempt.js';
import { Checkbox } from '../../../ui/forms/checkbox.js';
import { Empty } from '../../../ui/page/empty.js';
import { DeliveryDialog } from './delivery-dialog.js';
import { LogFilters } from './log-filters.js';
import { isFiltered, logQuery } from './log-search.js';
import type { LogSearch } from './log-search.js';
import styles from './log.module.css';
import { useRedeliver } from './redeliver.js';
import { logWords } from './words.js';

interface LogProps {
  subscription: SubscriptionView;
  search: LogSearch;
  onLook: (part: LogSearch) => void;
}

/**
 * Deliveries of a subscription, newest first. The address holds the filters and the open delivery.
 */
export function Log({ subscription, search, onLook }: LogProps) {
  const client = useApi();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { state, type, code, span, delivery } = search;
  const query = useInfiniteQuery({
    queryKey: ['outgoing', 'log', subscription.id, { state, type, code, span }],
    queryFn: ({ pageParam }) =>
      listOutgoingDeliveriesAsAdmin({
        client,
        path: { id: subscription.id },
        query: { ...logQuery(search, Date.now()), limit: 25, cursor: pageParam },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 3000,
  });
  return (
    <div className={styles.log}>
      <LogFilters search={search} onLook={onLook} />
      {chosen.size > 0 && <Chosen ids={[...chosen]} onDone={() => setChosen(new Set())} />}
      <Paged query={query} rows={(page) => page.deliveries}>
        {(deliveries) => (
          <Rows
            deliveries={deliveries}
            chosen={chosen}
            onChoose={setChosen}
            onOpen={(id) => onLook({ delivery: id })}
            empty={<NoRows search={search} onLook={onLook} />}
          />
        )}
      </Paged>
      {delivery && (
        <DeliveryDialog
          key={delivery}
          id={delivery}
          subscription={subscription}
          onClose={() => onLook({ delivery: undefined })}
          onOpen={(id) => onLook({ delivery: id })}
        />
      )}
    </div>
  );
}

interface RowsProps {
  deliveries: readonly DeliveryView[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onOpen: (id: string) => void;
  empty: ReactNode;
}

function Rows({ deliveries, chosen, onChoose, onOpen, empty }: RowsProps) {
  const words = useWords(logWords);
  const lastAttempt = useLastAttemptColumns();
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChoose(next);
  };
  return (
    <Table
      label={words.title}
      rows={deliveries}
      rowId={(row) => row.delivery_id}
      onOpen={(row) => onOpen(row.delivery_id)}
      empty={empty}
      columns={[
        {
          id: 'pick',
          title: words.pick,
          cell: ({ delivery_id: id, status }) =>
            status !== 'pending' && (
              <Checkbox
                aria-label={words.pickOne(id)}
                isSelected={chosen.has(id)}
                onChange={(isChosen) => choose(id, isChosen)}
              >
                {null}
              </Checkbox>
            ),
        },
        { id: 'time', title: words.time, isName: true, cell: (row) => <Time at={row.created_at} /> },
        { id: 'status', title: words.status, cell: (row) => <DeliveryState delivery={row} /> },
        {
          id: 'type',
          title: words.type,
          cell: ({ event_type: type }) => <EventName type={type} />,
        },
        ...lastAttempt,
      ]}
    />
  );
}

function NoRows({ search, onLook }: { search: LogSearch; onLook: (part: LogSearch) => void }) {
  const words = useWords(logWords);
  if (!isFiltered(search)) return <Empty title={words.none}>{words.noneText}</Empty>;
  const clear = () => onLook({ state: undefined, type: undefined, code: undefined, span: undefined });
  return (
    <Empty title={words.noMatch} action={<Button onPress={clear}>{words.clear}</Button>}>
      {words.noMatchText}
    </Empty>
  );
}

function Chosen({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const words = useWords(logWords);
  const redeliver = useRedeliver(onDone);
  return (
    <div className={styles.chosen} role="status">
      <span>{words.chosen(ids.length)}</span>
      <Button isSmall kind="primary" onPress={() => redeliver.mutate(ids)} isPending={redeliver.isPending}>
        {words.redeliverChosen(ids.length)}
      </Button>
    </div>
  );
}

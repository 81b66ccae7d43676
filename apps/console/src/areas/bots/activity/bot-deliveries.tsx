import { listBotDeliveriesAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, DeliveryView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { DeliveryState } from '../../../ui/deliveries/delivery-state.js';
import { EventName } from '../../../ui/deliveries/event-name.js';
import { useLastAttemptColumns } from '../../../ui/deliveries/last-attempt.js';
import { Choice } from '../../../ui/forms/choice.js';
import { OutboundArrow } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Section } from '../../../ui/page/page.js';
import { sinceOf } from '../bot-tabs.js';
import type { BotSearch } from '../bot-tabs.js';
import styles from '../bots.module.css';
import { botsWords } from '../words.js';
import { activityWords } from './activity-words.js';
import { Delivery } from './delivery.js';

const route = getRouteApi('/signed-in/bots/$id');

/**
 * Deliveries to the bot's address. The page's address holds the filter, and a click on a row opens
 * the delivery.
 */
export function BotDeliveries({ bot }: { bot: AdminBotView }) {
  const words = useWords(activityWords);
  const { filter = 'all', span = 'all' } = route.useSearch();
  const client = useApi();
  const lastAttempt = useLastAttemptColumns();
  const [open, setOpen] = useState<DeliveryView>();
  const query = useInfiniteQuery({
    queryKey: ['bots', 'deliveries', bot.id, filter, span],
    queryFn: ({ pageParam }) =>
      listBotDeliveriesAsAdmin({
        client,
        path: { id: bot.id },
        query: { filter, since: sinceOf(span, Date.now()), cursor: pageParam },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 5_000,
  });
  return (
    <Section title={useWords(botsWords).deliveries} actions={<Filters filter={filter} span={span} />} isPlain>
      <Paged query={query} rows={(page) => page.deliveries}>
        {(deliveries) => (
          <Table
            label={words.delivery}
            rows={deliveries}
            rowId={(delivery) => delivery.delivery_id}
            onOpen={setOpen}
            empty={
              <Empty icon={<OutboundArrow />} title={words.noDeliveries}>
                {bot.event_delivery_mode === 'webhook' ? words.noDeliveriesText : words.noDeliveriesNone}
              </Empty>
            }
            columns={[
              { id: 'time', title: words.time, cell: (delivery) => <Time at={delivery.created_at} /> },
              {
                id: 'event',
                title: words.event,
                isName: true,
                cell: ({ event_type: type }) => <EventName type={type} />,
              },
              {
                id: 'status',
                title: words.status,
                cell: (delivery) => <DeliveryState delivery={delivery} />,
              },
              ...lastAttempt,
            ]}
          />
        )}
      </Paged>
      {open && <Delivery id={open.delivery_id} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Filters({ filter, span }: Required<Pick<BotSearch, 'filter' | 'span'>>) {
  const words = useWords(activityWords);
  const navigate = route.useNavigate();
  const choose = (some: BotSearch) =>
    void navigate({ search: (search) => ({ ...search, ...some }), replace: true });
  return (
    <div className={styles.filters}>
      <Choice
        label={words.span}
        value={span}
        onChange={(chosen) => choose({ span: chosen })}
        options={[
          { id: 'hour', label: words.hour },
          { id: 'day', label: words.day },
          { id: 'all', label: words.ever },
        ]}
      />
      <Choice
        label={words.filter}
        value={filter}
        onChange={(chosen) => choose({ filter: chosen })}
        options={[
          { id: 'all', label: words.all },
          { id: 'success', label: words.success },
          { id: 'failed', label: words.failed },
        ]}
      />
    </div>
  );
}

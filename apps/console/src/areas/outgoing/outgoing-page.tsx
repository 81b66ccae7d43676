import { listOutgoingWebhooksAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { ButtonLink } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { OutboundArrow, Plus } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Page } from '../../ui/page/page.js';
import { outgoingWords } from './words.js';

/** Lists the subscriptions of the space. */
export function OutgoingPage() {
  const words = useWords(outgoingWords);
  const client = useApi();
  const query = useInfiniteQuery({
    queryKey: ['outgoing', 'list'],
    queryFn: ({ pageParam }) => listOutgoingWebhooksAsAdmin({ client, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 15_000,
  });
  const create = (
    <ButtonLink kind="primary" href="/outgoing/new" icon={<Plus />}>
      {words.create}
    </ButtonLink>
  );
  const isEmpty = query.data?.pages[0]?.subscriptions.length === 0;
  return (
    <Page title={words.title} intro={words.intro} actions={!isEmpty && create}>
      <Paged query={query} rows={(page) => page.subscriptions}>
        {(subscriptions) => (
          <Table
            label={words.title}
            rows={subscriptions}
            rowId={({ id }) => id}
            href={({ id }) => `/outgoing/${id}`}
            empty={
              <Empty icon={<OutboundArrow />} title={words.none} action={create}>
                {words.noneText}
              </Empty>
            }
            columns={[
              { id: 'name', title: words.name, cell: ({ name }) => name },
              { id: 'url', title: words.url, cell: ({ url }) => <code>{shortUrl(url)}</code> },
              {
                id: 'events',
                title: words.events,
                isMinor: true,
                cell: ({ event_types: types }) => words.more(types.length),
              },
              { id: 'state', title: words.state, cell: (one) => <State subscription={one} /> },
            ]}
          />
        )}
      </Paged>
    </Page>
  );
}

/** Shows whether it is active and whether its receiver works. */
export function State({ subscription: { status, breaker } }: { subscription: SubscriptionView }) {
  const words = useWords(outgoingWords);
  if (status === 'inactive') return <Badge kind="plain">{words.inactive}</Badge>;
  if (breaker.state === 'open') return <Badge kind="bad">{words.open}</Badge>;
  if (breaker.state === 'half_open') return <Badge kind="warning">{words.half_open}</Badge>;
  return <Badge kind="good">{words.active}</Badge>;
}

const shortUrl = (url: string): string => (url.length > 60 ? `${url.slice(0, 57)}…` : url);

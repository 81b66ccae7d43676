import { listIncomingWebhooksAsAdmin } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useChannels } from '../../api/directory.js';
import { useWords } from '../../language/use-words.js';
import { ButtonLink } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { InboundArrow, Plus } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Page } from '../../ui/page/page.js';
import { incomingWords } from './words.js';

/** Lists the incoming webhooks of the space. */
export function IncomingPage() {
  const words = useWords(incomingWords);
  const client = useApi();
  const channelName = useChannelName();
  const query = useInfiniteQuery({
    queryKey: ['incoming', 'list'],
    queryFn: ({ pageParam }) => listIncomingWebhooksAsAdmin({ client, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
  });
  const create = (
    <ButtonLink kind="primary" href="/incoming/new" icon={<Plus />}>
      {words.create}
    </ButtonLink>
  );
  const isEmpty = query.data?.pages[0]?.webhooks.length === 0;
  return (
    <Page title={words.title} intro={words.intro} actions={!isEmpty && create}>
      <Paged query={query} rows={(page) => page.webhooks}>
        {(webhooks) => (
          <Table
            label={words.title}
            rows={webhooks}
            rowId={({ id }) => id}
            href={({ id }) => `/incoming/${id}`}
            empty={
              <Empty icon={<InboundArrow />} title={words.none} action={create}>
                {words.noneText}
              </Empty>
            }
            columns={[
              { id: 'name', title: words.name, cell: ({ name }) => name },
              { id: 'channel', title: words.channel, cell: (one) => channelName(one.conversation_id) },
              {
                id: 'protection',
                title: words.protection,
                isMinor: true,
                cell: (one) => (one.require_signature ? words.signed : words.addressOnly),
              },
              {
                id: 'state',
                title: words.state,
                cell: ({ is_active: isActive }) => (
                  <Badge kind={isActive ? 'good' : 'plain'}>{isActive ? words.active : words.inactive}</Badge>
                ),
              },
            ]}
          />
        )}
      </Paged>
    </Page>
  );
}

/** Returns channel names by id. Private channels of others have no name for the user. */
export function useChannelName(): (id: string) => string {
  const words = useWords(incomingWords);
  const { data } = useChannels();
  return (id) => {
    const channel = data?.find((one) => one.id === id);
    if (channel) return `#${channel.name}`;
    return data ? words.elsewhere : '…';
  };
}

import { listSpacesAsOperator } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../app/api/api-context.js';
import { useWords } from '../../app/words/use-words.js';
import { Badge } from '../../ui/data/badge.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Server } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Page } from '../../ui/page/page.js';
import { operatorWords } from './words.js';

/** Lists the spaces of the server. */
export function SpacesPage() {
  const words = useWords(operatorWords);
  const client = useApi();
  const query = useInfiniteQuery({
    queryKey: ['operator', 'spaces'],
    queryFn: ({ pageParam }) => listSpacesAsOperator({ client, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
  });
  return (
    <Page title={words.title} intro={words.intro}>
      <Paged query={query} rows={(page) => page.spaces}>
        {(spaces) => (
          <Table
            label={words.title}
            rows={spaces}
            rowId={({ id }) => id}
            empty={
              <Empty icon={<Server />} title={words.none}>
                {words.noneText}
              </Empty>
            }
            columns={[
              { id: 'name', title: words.name, cell: ({ name }) => name },
              { id: 'plan', title: words.plan, cell: ({ plan }) => plan },
              {
                id: 'state',
                title: words.state,
                cell: ({ is_active: isActive }) => (
                  <Badge kind={isActive ? 'good' : 'plain'}>{isActive ? words.active : words.inactive}</Badge>
                ),
              },
              { id: 'created', title: words.created, cell: (space) => <Time at={space.created_at} /> },
            ]}
          />
        )}
      </Paged>
    </Page>
  );
}

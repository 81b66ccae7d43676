import { listSpacesAsOperator } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Plus, Server } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Page } from '../../ui/page/page.js';
import { NewSpace } from './new-space.js';
import { SpaceDialog } from './space-dialog.js';
import { operatorWords } from './words.js';

/** Lists the spaces of the server. A click on a row opens the space. */
export function SpacesPage() {
  const words = useWords(operatorWords);
  const client = useApi();
  const [isMaking, setMaking] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const query = useInfiniteQuery({
    queryKey: ['operator', 'spaces'],
    queryFn: ({ pageParam }) => listSpacesAsOperator({ client, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
  });
  const open = query.data?.pages.flatMap(({ spaces }) => spaces).find(({ id }) => id === openId);
  const create = (
    <Button kind="primary" icon={<Plus />} onPress={() => setMaking(true)}>
      {words.create}
    </Button>
  );
  const isEmpty = query.data?.pages[0]?.spaces.length === 0;
  return (
    <Page title={words.title} intro={words.intro} actions={!isEmpty && create}>
      <Paged query={query} rows={(page) => page.spaces}>
        {(spaces) => (
          <Table
            label={words.title}
            rows={spaces}
            rowId={({ id }) => id}
            onOpen={({ id }) => setOpenId(id)}
            empty={
              <Empty icon={<Server />} title={words.none} action={create}>
                {words.noneText}
              </Empty>
            }
            columns={[
              { id: 'name', title: words.name, cell: ({ name }) => name },
              { id: 'plan', title: words.plan, cell: ({ plan }) => words[plan] },
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
      {isMaking && <NewSpace onClose={() => setMaking(false)} />}
      {open && <SpaceDialog key={open.id} space={open} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}

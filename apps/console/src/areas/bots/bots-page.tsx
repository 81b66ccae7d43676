import { useInfiniteQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Plus, Robot } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Page } from '../../ui/page/page.js';
import { BotState } from './bot-state.js';
import { botsQuery } from './queries.js';
import { botsWords } from './words.js';

const CreateBot = lazyRouteComponent(() => import('./create-bot.js'), 'CreateBot');

/** Lists the bots and creates new ones. */
export function BotsPage() {
  const words = useWords(botsWords);
  const query = useInfiniteQuery(botsQuery(useApi()));
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" icon={<Plus />} onPress={() => setCreating(true)}>
      {words.create}
    </Button>
  );
  const modes = { none: words.none_mode, poll: words.poll, webhook: words.webhook };
  const isEmpty = query.data?.pages[0]?.bots.length === 0;
  return (
    <Page title={words.title} intro={words.intro} actions={!isEmpty && create}>
      <Paged query={query} rows={(page) => page.bots}>
        {(bots) => (
          <Table
            label={words.title}
            rows={bots}
            rowId={({ id }) => id}
            href={({ id }) => `/bots/${id}`}
            empty={
              <Empty icon={<Robot />} title={words.none} action={create}>
                {words.noneText}
              </Empty>
            }
            columns={[
              { id: 'name', title: words.name, cell: (bot) => bot.display_name },
              { id: 'state', title: words.state, cell: (bot) => <BotState bot={bot} /> },
              { id: 'mode', title: words.mode, cell: (bot) => modes[bot.event_delivery_mode] },
              {
                id: 'channels',
                title: words.channels,
                isMinor: true,
                cell: (bot) => bot.channel_ids.length || words.all,
              },
              { id: 'created', title: words.created, cell: (bot) => <Time at={bot.created_at} /> },
            ]}
          />
        )}
      </Paged>
      {isCreating && (
        <Suspense>
          <CreateBot onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  );
}

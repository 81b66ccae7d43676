import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { Plus, Squares } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Page } from '../../../ui/page/page.js';
import { OwnAppState } from './own-app-state.js';
import { ownAppsQuery } from './queries.js';
import { ownWords } from './words.js';

/** Lists the apps that belong to the space. */
export function OwnAppsPage() {
  const words = useWords(ownWords);
  const query = useInfiniteQuery(ownAppsQuery(useApi()));
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <>
          <ButtonLink href="/own-apps/manifest">{words.fromManifest}</ButtonLink>
          <ButtonLink kind="primary" icon={<Plus />} href="/own-apps/new">
            {words.create}
          </ButtonLink>
        </>
      }
    >
      <Paged query={query} rows={(page) => page.apps}>
        {(apps) => (
          <Table
            label={words.title}
            rows={apps}
            rowId={({ id }) => id}
            href={({ id }) => `/own-apps/${id}`}
            empty={
              <Empty icon={<Squares />} title={words.none}>
                {words.noneText}
              </Empty>
            }
            columns={[
              { id: 'name', title: words.name, cell: ({ name }) => name },
              { id: 'state', title: words.state, cell: (app) => <OwnAppState app={app} /> },
              { id: 'created', title: words.created, cell: ({ created_at: at }) => <Time at={at} /> },
            ]}
          />
        )}
      </Paged>
    </Page>
  );
}

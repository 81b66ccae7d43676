import type { DirectoryAppView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button, ButtonLink } from '../../../ui/actions/button.js';
import { Table } from '../../../ui/data/table.js';
import { Field } from '../../../ui/forms/field.js';
import { Squares } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { Page } from '../../../ui/page/page.js';
import { uiWords } from '../../../ui/words.js';
import { AppState } from './app-state.js';
import styles from './directory.module.css';
import { directoryQuery } from './queries.js';
import { searchApps } from './search-apps.js';
import { directoryWords } from './words.js';

const route = getRouteApi('/signed-in/apps');
/** Rows that are shown first, and by each press of “Show more”. */
const STEP = 50;

/** Lists the apps that the space can install. */
export function DirectoryPage() {
  const words = useWords(directoryWords);
  const { q: text = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: apps, error, refetch } = useQuery(directoryQuery(useApi()));
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={<ButtonLink href="/authorizations">{words.connected}</ButtonLink>}
    >
      {!apps && (error ? <Failure failure={error} onRetry={refetch} /> : <Loading />)}
      {apps?.length === 0 && (
        <Empty icon={<Squares />} title={words.none}>
          {words.noneText}
        </Empty>
      )}
      {apps && apps.length > 0 && (
        <>
          <Field
            label={words.search}
            type="search"
            value={text}
            onChange={(q) => void navigate({ search: q === '' ? {} : { q }, replace: true })}
          />
          <Apps key={text} apps={searchApps(apps, text)} />
        </>
      )}
    </Page>
  );
}

function Apps({ apps }: { apps: readonly DirectoryAppView[] }) {
  const words = useWords(directoryWords);
  const shared = useWords(uiWords);
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <Table
        label={words.title}
        rows={apps.slice(0, shown)}
        rowId={({ id }) => id}
        href={({ id }) => `/apps/${id}`}
        empty={<Empty title={words.noMatch}>{words.noMatchText}</Empty>}
        columns={[
          { id: 'name', title: words.name, cell: ({ name }) => name },
          {
            id: 'description',
            title: words.description,
            cell: ({ description }) =>
              description && <span className={styles.description}>{description}</span>,
          },
          { id: 'owner', title: words.owner, cell: ({ owner }) => owner, isMinor: true },
          {
            id: 'state',
            title: words.state,
            cell: (app) => (app.installed || app.requested || app.denied) && <AppState app={app} />,
          },
        ]}
      />
      {apps.length > shown && (
        <div className={styles.more}>
          <Button onPress={() => setShown(shown + STEP)}>{shared.more}</Button>
        </div>
      )}
    </>
  );
}

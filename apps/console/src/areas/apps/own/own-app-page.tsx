import type { AppView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Tabs } from '../../../ui/data/tabs.js';
import { Time } from '../../../ui/data/time.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { Note } from '../../../ui/page/note.js';
import { Page } from '../../../ui/page/page.js';
import { EditApp } from './edit-app.js';
import { ExportedManifest } from './exported-manifest.js';
import { OwnAppActions } from './own-app-actions.js';
import { OwnAppState } from './own-app-state.js';
import { ownAppQuery } from './queries.js';
import { ownWords } from './words.js';

const route = getRouteApi('/signed-in/own-apps/$id');

/** Page of an app that belongs to the space: settings and manifest. */
export function OwnAppPage() {
  const words = useWords(ownWords);
  const { id } = route.useParams();
  const { data: app, error, refetch } = useQuery(ownAppQuery(useApi(), id));
  if (app) return <App key={id} app={app} />;
  return (
    <Page title={words.title} back={{ href: '/own-apps', label: words.title }}>
      {error ? <Failure failure={error} onRetry={refetch} /> : <Loading />}
    </Page>
  );
}

function App({ app }: { app: AppView }) {
  const words = useWords(ownWords);
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const { previous_client_secret_expires_at: previousUntil } = app;
  return (
    <Page
      title={app.name}
      back={{ href: '/own-apps', label: words.title }}
      badge={<OwnAppState app={app} />}
      intro={app.description}
      actions={<OwnAppActions app={app} />}
    >
      {previousUntil !== undefined && (
        <Note kind="info">
          <span>
            {words.previousUntil} <Time at={previousUntil} />
          </span>
        </Note>
      )}
      <Tabs
        label={app.name}
        selected={tab ?? 'settings'}
        onSelect={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
        tabs={[
          // Resets the form after the app was saved.
          { id: 'settings', title: words.settings, content: <EditApp key={app.updated_at} app={app} /> },
          { id: 'manifest', title: words.manifest, content: <ExportedManifest app={app} /> },
        ]}
      />
    </Page>
  );
}

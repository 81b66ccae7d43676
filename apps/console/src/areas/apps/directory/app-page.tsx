import type { DirectoryAppView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Link } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { Picture } from '../../../ui/media/picture.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { Note } from '../../../ui/page/note.js';
import { Fact, Facts, Page, Section } from '../../../ui/page/page.js';
import { AppScopes, namedScopes } from '../../../ui/scopes/scopes.js';
import { AppState } from './app-state.js';
import shared from '../apps.module.css';
import styles from './directory.module.css';
import { directoryQuery } from './queries.js';
import { directoryWords } from './words.js';

const route = getRouteApi('/signed-in/apps/$id');

/** Page of an app in the directory. */
export function AppPage() {
  const words = useWords(directoryWords);
  const { id } = route.useParams();
  const { data: apps, error, refetch } = useQuery(directoryQuery(useApi()));
  const app = apps?.find((one) => one.id === id);
  if (app) return <App app={app} />;
  const failure = apps ? new ApiFailure(404, 'not_found', '') : error;
  return (
    <Page title={words.title} back={{ href: '/apps', label: words.title }}>
      {failure ? <Failure failure={failure} onRetry={refetch} /> : <Loading />}
    </Page>
  );
}

function App({ app }: { app: DirectoryAppView }) {
  const words = useWords(directoryWords);
  const { name, description, icon_url: icon, homepage_url: homepage } = app;
  return (
    <Page
      title={name}
      back={{ href: '/apps', label: words.title }}
      badge={<AppState app={app} />}
      intro={description}
      actions={<StartLink app={app} />}
    >
      <StartNote app={app} />
      {icon !== '' && (
        <div>
          <Picture className={styles.icon} src={icon} alt={name} />
        </div>
      )}
      <Section title={words.permissions}>
        <div className={shared.parts}>
          {app.bot_scopes.length + app.user_scopes.length === 0 && <p>{words.noPermissions}</p>}
          <AppScopes bot={namedScopes(app.bot_scopes)} user={namedScopes(app.user_scopes)} />
        </div>
      </Section>
      <Facts>
        <Fact name={words.owner}>{app.owner}</Fact>
        <Fact name={words.homepage}>
          {homepage === '' ? (
            words.noHomepage
          ) : (
            <Link href={homepage} target="_blank" rel="noreferrer">
              {homepage}
            </Link>
          )}
        </Fact>
      </Facts>
    </Page>
  );
}

/** Returns the address that starts the authorization of an app; empty if it names none. */
const startOf = ({ install_url: install, homepage_url: homepage }: DirectoryAppView): string =>
  install === '' ? homepage : install;

/**
 * Leads to the app, which starts its authorization: only the app can, because it keeps the secret
 * of PKCE.
 */
function StartLink({ app }: { app: DirectoryAppView }) {
  const words = useWords(directoryWords);
  const start = startOf(app);
  if (start === '' || app.outcome === 'refuse' || app.requested) return null;
  const label = app.installed ? words.connect : words.install;
  return (
    <ButtonLink kind="primary" href={start} target="_blank" rel="noreferrer">
      {app.outcome === 'request' ? words.request : label}
    </ButtonLink>
  );
}

/** What the button leads to, or why there is none. */
function StartNote({ app }: { app: DirectoryAppView }) {
  const words = useWords(directoryWords);
  const { outcome, requested, denied } = app;
  const start = startOf(app);
  if (outcome === 'refuse') return <Note kind="warning">{words.notForGuests}</Note>;
  if (requested) return <Note kind="info">{words.waits}</Note>;
  if (denied) return <Note kind="warning">{words.wasDenied}</Note>;
  if (start === '') return <Note kind="info">{words.noAddress}</Note>;
  if (outcome === 'request') return <Note kind="info">{words.needsAdmin}</Note>;
  return <Note kind="info">{words.continues(new URL(start).host)}</Note>;
}

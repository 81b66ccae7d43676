import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Squares } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { useLiveEvents } from '../live/live-context.js';
import { useNames } from '../names.js';
import { getHome } from './app-api.js';
import type { AppView } from './app-api.js';
import styles from './app-blocks.module.css';
import { AppBlocks } from './app-blocks.js';
import { useViewSurface } from './view-dialog.js';
import { appWords } from './words.js';

/** The Home tab of a bot: a view that the app publishes for the person. */
export function Home({ botId }: { botId: string }) {
  const words = useWords(appWords);
  const client = useApi();
  const names = useNames();
  const queries = useQueryClient();
  const queryKey = ['chat', 'home', botId];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => getHome(client, botId),
    staleTime: 0,
  });
  useLiveEvents((event) => {
    const { event: name, view } = event as { event: string; view?: AppView };
    const isHome = name.startsWith('view.') && view?.type === 'home';
    // Reading the view again would tell the app again that it was opened.
    if (isHome && view.bot_id === botId) queries.setQueryData(queryKey, { view });
    else if (name === 'connected') void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  });
  return (
    <div className={styles.home} role="region" aria-label={words.homeOf(names.of(botId))} tabIndex={0}>
      {error ? (
        <Failure failure={error} onRetry={refetch} />
      ) : !data ? (
        <Loading />
      ) : data.view ? (
        <HomeView view={data.view} />
      ) : (
        <Empty icon={<Squares size={24} />} title={words.noHome}>
          {words.noHomeText}
        </Empty>
      )}
    </div>
  );
}

function HomeView({ view }: { view: AppView }) {
  const surface = useViewSurface(view);
  return <AppBlocks blocks={view.blocks} surface={surface} />;
}

import { getOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Tabs } from '../../ui/data/tabs.js';
import { Time } from '../../ui/data/time.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Note } from '../../ui/page/note.js';
import { Page } from '../../ui/page/page.js';
import { BreakerNote } from './actions/breaker-note.js';
import { Recoveries } from './actions/recoveries.js';
import { SubscriptionActions } from './actions/subscription-actions.js';
import { TestSend, useTestSend } from './actions/test-send.js';
import type { LogSearch } from './log/log-search.js';
import { Log } from './log/log.js';
import { State } from './outgoing-page.js';
import { EditSettings } from './settings/edit-settings.js';
import { outgoingWords } from './words.js';

const route = getRouteApi('/signed-in/outgoing/$id');

/** Page of one subscription: deliveries, settings and recoveries. */
export function SubscriptionPage() {
  const words = useWords(outgoingWords);
  const client = useApi();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['outgoing', 'one', id],
    queryFn: () => getOutgoingWebhookAsAdmin({ client, path: { id } }),
    refetchInterval: 5000,
  });
  if (data) return <Subscription key={id} subscription={data.subscription} />;
  return (
    <Page title={words.title} back={{ href: '/outgoing', label: words.title }}>
      {error ? <Failure failure={error} onRetry={refetch} /> : <Loading />}
    </Page>
  );
}

function Subscription({ subscription }: { subscription: SubscriptionView }) {
  const words = useWords(outgoingWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const test = useTestSend(subscription.id);
  const look = (part: LogSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  const openDelivery = (delivery?: string) => look({ tab: 'log', delivery });
  return (
    <Page
      title={subscription.name}
      back={{ href: '/outgoing', label: words.title }}
      badge={<State subscription={subscription} />}
      intro={<code>{subscription.url}</code>}
      actions={<SubscriptionActions subscription={subscription} test={test} />}
    >
      {subscription.status === 'inactive' && <Note kind="info">{words.offNote}</Note>}
      {subscription.previous_secret_expires_at && (
        <Note kind="info">
          <span>
            {words.previousUntil} <Time at={subscription.previous_secret_expires_at} />
          </span>
        </Note>
      )}
      <BreakerNote subscription={subscription} test={test} />
      <TestSend test={test} onOpen={openDelivery} />
      <Tabs
        label={words.parts}
        selected={search.tab ?? 'log'}
        onSelect={(tab) => look({ tab, delivery: undefined })}
        tabs={[
          {
            id: 'log',
            title: words.log,
            content: <Log subscription={subscription} search={search} onLook={look} />,
          },
          { id: 'settings', title: words.settings, content: <EditSettings subscription={subscription} /> },
          { id: 'recoveries', title: words.recoveries, content: <Recoveries subscription={subscription} /> },
        ]}
      />
    </Page>
  );
}

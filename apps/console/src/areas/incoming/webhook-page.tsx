import { getIncomingWebhookAsAdmin } from '@tieline/sdk/api';
import type { IncomingWebhookView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Badge } from '../../ui/data/badge.js';
import { Time } from '../../ui/data/time.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Note } from '../../ui/page/note.js';
import { Page, Section } from '../../ui/page/page.js';
import { EditWebhook } from './actions/edit-webhook.js';
import { WebhookActions } from './actions/webhook-actions.js';
import { useChannelName } from './incoming-page.js';
import { Requests } from './requests/requests.js';
import { incomingWords } from './words.js';

const route = getRouteApi('/signed-in/incoming/$id');

/** Page of one incoming webhook: requests and settings. */
export function WebhookPage() {
  const words = useWords(incomingWords);
  const client = useApi();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['incoming', 'one', id],
    queryFn: () => getIncomingWebhookAsAdmin({ client, path: { id } }),
    refetchInterval: 10_000,
  });
  if (data) return <Webhook key={id} webhook={data.webhook} />;
  return (
    <Page title={words.title} back={{ href: '/incoming', label: words.title }}>
      {error ? <Failure failure={error} onRetry={refetch} /> : <Loading />}
    </Page>
  );
}

function Webhook({ webhook }: { webhook: IncomingWebhookView }) {
  const words = useWords(incomingWords);
  const channelName = useChannelName();
  const { is_active: isActive, previous_secret_expires_at: until } = webhook;
  return (
    <Page
      title={webhook.name}
      back={{ href: '/incoming', label: words.title }}
      badge={<Badge kind={isActive ? 'good' : 'plain'}>{isActive ? words.active : words.inactive}</Badge>}
      intro={channelName(webhook.conversation_id)}
      actions={<WebhookActions webhook={webhook} />}
    >
      {!isActive && <Note kind="warning">{words.offNote}</Note>}
      {until && (
        <Note kind="info">
          <span>
            {words.previousUntil} <Time at={until} />
          </span>
        </Note>
      )}
      <Section title={words.log} intro={words.logIntro} isPlain>
        <Requests webhookId={webhook.id} />
      </Section>
      <Section title={words.settings}>
        <EditWebhook webhook={webhook} />
      </Section>
    </Page>
  );
}

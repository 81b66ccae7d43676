import type { AdminBotView } from '@tieline/sdk/api';
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
import { BotCallbacks } from './activity/bot-callbacks.js';
import { BotDeliveries } from './activity/bot-deliveries.js';
import { SentEvents } from './activity/sent-events.js';
import { BotActions } from './bot-actions.js';
import { BotCommands } from './bot-commands.js';
import { BotSettings } from './bot-settings.js';
import { BotState } from './bot-state.js';
import { botQuery } from './queries.js';
import { botsWords } from './words.js';

const route = getRouteApi('/signed-in/bots/$id');

/** Page of one bot: settings and activity. */
export function BotPage() {
  const words = useWords(botsWords);
  const { id } = route.useParams();
  const { data: bot, error, refetch } = useQuery(botQuery(useApi(), id));
  const back = { href: '/bots', label: words.back };
  if (!bot)
    return (
      <Page title={words.title} back={back}>
        {error ? <Failure failure={error} onRetry={refetch} /> : <Loading />}
      </Page>
    );
  return (
    <Page
      title={bot.display_name}
      back={back}
      badge={<BotState bot={bot} />}
      intro={<code>{bot.id}</code>}
      actions={<BotActions bot={bot} />}
    >
      <Breaker bot={bot} />
      <BotTabs bot={bot} />
    </Page>
  );
}

/** Explains why deliveries are paused, and until when. */
function Breaker({ bot: { breaker } }: { bot: AdminBotView }) {
  const words = useWords(botsWords);
  if (breaker.state === 'closed') return null;
  return (
    <Note kind="warning">
      <span>
        {words.breakerText(words.failures(breaker.consecutive_failures))}{' '}
        {breaker.open_until ? (
          <>
            {words.breakerUntil} <Time at={breaker.open_until} />
          </>
        ) : (
          words.breakerNow
        )}
      </span>
    </Note>
  );
}

function BotTabs({ bot }: { bot: AdminBotView }) {
  const words = useWords(botsWords);
  const { tab } = route.useSearch();
  const polls = bot.event_delivery_mode === 'poll';
  const navigate = route.useNavigate();
  return (
    <Tabs
      label={bot.display_name}
      selected={tab ?? 'settings'}
      onSelect={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
      tabs={[
        // Resets the form after the bot was saved.
        { id: 'settings', title: words.settings, content: <BotSettings key={bot.updated_at} bot={bot} /> },
        { id: 'commands', title: words.commands, content: <BotCommands bot={bot} /> },
        polls
          ? { id: 'deliveries', title: words.events, content: <SentEvents bot={bot} /> }
          : { id: 'deliveries', title: words.deliveries, content: <BotDeliveries bot={bot} /> },
        { id: 'callbacks', title: words.callbacks, content: <BotCallbacks bot={bot} /> },
      ]}
    />
  );
}

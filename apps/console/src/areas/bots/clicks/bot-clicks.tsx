import { getInteractiveConfigAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, InteractiveConfigAnswer } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Menu } from '../../../ui/actions/menu.js';
import { Time } from '../../../ui/data/time.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { Note } from '../../../ui/page/note.js';
import { Section } from '../../../ui/page/page.js';
import styles from '../bots.module.css';
import { ClickAddress } from './click-address.js';
import { RemoveAddress, RotateClickSecret } from './click-secret.js';
import { TestClick } from './test-click.js';
import { clicksWords } from './words.js';

/** The bot's address for clicks, and test clicks. */
export function BotClicks({ bot }: { bot: AdminBotView }) {
  const words = useWords(clicksWords);
  const client = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['bots', 'interactive', bot.id],
    queryFn: () => getInteractiveConfigAsAdmin({ client, path: { id: bot.id } }),
  });
  return (
    <Section title={words.title} intro={words.intro} actions={data && <Actions bot={bot} config={data} />}>
      {!data && (error ? <Failure failure={error} onRetry={refetch} /> : <Loading />)}
      <div className={styles.notes}>
        {data && bot.event_delivery_mode === 'poll' && <Note kind="info">{words.polls}</Note>}
        {data && bot.event_delivery_mode !== 'poll' && !data.enabled && <Note kind="info">{words.none}</Note>}
        {data?.previous_secret_expires_at && (
          <Note kind="info">
            <span>
              {words.previous} <Time at={data.previous_secret_expires_at} />
            </span>
          </Note>
        )}
        {data && <ClickAddress key={data.callback_url} bot={bot} config={data} />}
      </div>
    </Section>
  );
}

function Actions({ bot, config }: { bot: AdminBotView; config: InteractiveConfigAnswer }) {
  const words = useWords(clicksWords);
  const [open, setOpen] = useState<'test' | 'rotate' | 'remove'>();
  const close = () => setOpen(undefined);
  const hasWay = config.enabled || bot.event_delivery_mode === 'poll';
  return (
    <>
      {hasWay && bot.is_active && <Button onPress={() => setOpen('test')}>{words.test}</Button>}
      {config.enabled && (
        <Menu
          actions={[
            { id: 'rotate', label: words.rotate, onAction: () => setOpen('rotate') },
            { id: 'remove', label: words.remove, isDanger: true, onAction: () => setOpen('remove') },
          ]}
          label={words.title}
        />
      )}
      {open === 'test' && <TestClick bot={bot} onClose={close} />}
      {open === 'rotate' && <RotateClickSecret bot={bot} onClose={close} />}
      {open === 'remove' && <RemoveAddress bot={bot} onClose={close} />}
    </>
  );
}

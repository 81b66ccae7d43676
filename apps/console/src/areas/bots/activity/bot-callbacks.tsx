import { listBotCallbacksAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, CallbackView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Code } from '../../../ui/data/code.js';
import { formatDuration } from '../../../ui/data/formats.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { Choice } from '../../../ui/forms/choice.js';
import { OutboundArrow } from '../../../ui/icons.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Empty } from '../../../ui/page/empty.js';
import { Note } from '../../../ui/page/note.js';
import { Section } from '../../../ui/page/page.js';
import styles from '../bots.module.css';
import { botsWords } from '../words.js';
import { activityWords } from './activity-words.js';
import { Answer } from './delivery.js';
import { indented } from './indented.js';

const route = getRouteApi('/signed-in/bots/$id');

/** Clicks, forms and commands sent to the bot's address, with its responses. */
export function BotCallbacks({ bot }: { bot: AdminBotView }) {
  const words = useWords(activityWords);
  const { language } = usePreferences();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = search.filter === 'failed' ? 'failed' : 'all';
  const client = useApi();
  const [open, setOpen] = useState<CallbackView>();
  const query = useInfiniteQuery({
    queryKey: ['bots', 'callbacks', bot.id, filter],
    queryFn: ({ pageParam }) =>
      listBotCallbacksAsAdmin({ client, path: { id: bot.id }, query: { filter, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 5_000,
  });
  const choose = (chosen: 'all' | 'failed') =>
    void navigate({ search: { ...search, filter: chosen }, replace: true });
  return (
    <Section
      title={useWords(botsWords).callbacks}
      isPlain
      actions={
        <Choice
          label={words.filter}
          value={filter}
          onChange={choose}
          options={[
            { id: 'all', label: words.all },
            { id: 'failed', label: words.failed },
          ]}
        />
      }
    >
      <Paged query={query} rows={(page) => page.callbacks}>
        {(callbacks) => (
          <Table
            label={words.kind}
            rows={callbacks}
            rowId={(callback) => callback.callback_id}
            onOpen={setOpen}
            empty={
              <Empty icon={<OutboundArrow />} title={words.noCallbacks}>
                {words.noCallbacksText}
              </Empty>
            }
            columns={[
              { id: 'kind', title: words.kind, cell: ({ kind }) => words[kind] },
              {
                id: 'answer',
                title: words.answer,
                cell: (callback) => <Answer status={callback.status_code} />,
              },
              {
                id: 'target',
                title: words.target,
                isMinor: true,
                cell: ({ target }) => <code className={styles.clipped}>{target}</code>,
              },
              {
                id: 'duration',
                title: words.duration,
                isNumber: true,
                cell: (callback) => formatDuration(language, callback.duration_ms),
              },
              { id: 'time', title: words.time, cell: (callback) => <Time at={callback.created_at} /> },
            ]}
          />
        )}
      </Paged>
      {open && <Callback callback={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Callback({ callback, onClose }: { callback: CallbackView; onClose: () => void }) {
  const words = useWords(activityWords);
  return (
    <Dialog title={words[callback.kind]} isOpen isWide onClose={onClose}>
      <div className={styles.attemptLine}>
        <Answer status={callback.status_code} /> <code>{callback.target}</code>{' '}
        <Time at={callback.created_at} />
      </div>
      {callback.error && <Note kind="bad">{callback.error}</Note>}
      <div className={styles.part}>
        <h3>{words.answer}</h3>
        <Code text={indented(callback.response) || words.noAnswer} what={words.answer} />
      </div>
    </Dialog>
  );
}

import { listBotEventsAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, SentEventView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Badge } from '../../../ui/data/badge.js';
import { Code } from '../../../ui/data/code.js';
import { formatInstant } from '../../../ui/data/formats.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { EventName, useEventName } from '../../../ui/deliveries/event-name.js';
import { InboundArrow } from '../../../ui/icons.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Empty } from '../../../ui/page/empty.js';
import { Fact, Facts, Section } from '../../../ui/page/page.js';
import { activityWords } from './activity-words.js';
import { indented } from './indented.js';

/** Events of the last hour in the queue of a bot, and whether the bot has read them. */
export function SentEvents({ bot }: { bot: AdminBotView }) {
  const words = useWords(activityWords);
  const client = useApi();
  const [open, setOpen] = useState<SentEventView>();
  const query = useInfiniteQuery({
    queryKey: ['bots', 'events', bot.id],
    queryFn: ({ pageParam }) =>
      listBotEventsAsAdmin({ client, path: { id: bot.id }, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 3_000,
  });
  return (
    <Section title={words.sentTitle} intro={words.sentIntro} isPlain>
      <Paged query={query} rows={(page) => page.events}>
        {(events) => (
          <Table
            label={words.sentTitle}
            rows={events}
            rowId={({ id }) => id}
            onOpen={setOpen}
            empty={
              <Empty icon={<InboundArrow />} title={words.noSent}>
                {words.noSentText}
              </Empty>
            }
            columns={[
              { id: 'event', title: words.event, cell: ({ event_type: type }) => <EventName type={type} /> },
              { id: 'state', title: words.status, cell: (event) => <Taken of={event} /> },
              { id: 'time', title: words.time, cell: (event) => <Time at={event.created_at} /> },
            ]}
          />
        )}
      </Paged>
      {open && <Sent event={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Taken({ of: { is_taken: isTaken } }: { of: SentEventView }) {
  const words = useWords(activityWords);
  return <Badge kind={isTaken ? 'good' : 'info'}>{isTaken ? words.taken : words.notTaken}</Badge>;
}

function Sent({ event, onClose }: { event: SentEventView; onClose: () => void }) {
  const words = useWords(activityWords);
  const { language } = usePreferences();
  return (
    <Dialog title={useEventName()(event.event_type)} isOpen isWide onClose={onClose}>
      <Facts>
        <Fact name={words.status}>
          <Taken of={event} />
        </Fact>
        <Fact name={words.time}>{formatInstant(language, event.created_at)}</Fact>
        <Fact name="event_type">
          <code>{event.event_type}</code>
        </Fact>
        <Fact name="event_id">
          <code>{event.event_id}</code>
        </Fact>
        <Fact name={words.cursor}>
          <code>{event.id}</code>
        </Fact>
      </Facts>
      <Code text={indented(event.payload_json)} what={words.payload} />
    </Dialog>
  );
}

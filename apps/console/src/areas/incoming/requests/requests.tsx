import { listIncomingRequestsAsAdmin } from '@tieline/sdk/api';
import type { RequestView } from '@tieline/sdk/api';
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
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Empty } from '../../../ui/page/empty.js';
import { Fact, Facts } from '../../../ui/page/page.js';
import { incomingWords } from '../words.js';

/** Requests to a webhook, with the reason of every refusal. Updates automatically. */
export function Requests({ webhookId }: { webhookId: string }) {
  const words = useWords(incomingWords);
  const client = useApi();
  const [open, setOpen] = useState<RequestView>();
  const query = useInfiniteQuery({
    queryKey: ['incoming', 'requests', webhookId],
    queryFn: ({ pageParam }) =>
      listIncomingRequestsAsAdmin({
        client,
        path: { id: webhookId },
        query: { cursor: pageParam, limit: 25 },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: 3000,
  });
  return (
    <>
      <Paged query={query} rows={(page) => page.requests}>
        {(requests) => (
          <Table
            label={words.log}
            rows={requests}
            rowId={({ id }) => id}
            onOpen={setOpen}
            empty={<Empty title={words.logNone}>{words.logNoneText}</Empty>}
            columns={[
              { id: 'time', title: words.time, cell: ({ time }) => <Time at={time} /> },
              { id: 'verdict', title: words.verdict, cell: (one) => <Verdict request={one} /> },
              {
                id: 'reason',
                title: words.reason,
                cell: ({ reason, notes }) => reason || notes.join(', ') || '–',
              },
              { id: 'from', title: words.from, isMinor: true, cell: ({ address }) => <code>{address}</code> },
              { id: 'code', title: words.code, isNumber: true, cell: ({ status }) => <code>{status}</code> },
            ]}
          />
        )}
      </Paged>
      {open && <Request request={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Verdict({ request: { verdict } }: { request: RequestView }) {
  const words = useWords(incomingWords);
  return <Badge kind={verdict === 'accepted' ? 'good' : 'bad'}>{words[verdict]}</Badge>;
}

function Request({ request, onClose }: { request: RequestView; onClose: () => void }) {
  const words = useWords(incomingWords);
  const { language } = usePreferences();
  return (
    <Dialog isOpen isWide title={words.request} onClose={onClose}>
      <Facts>
        <Fact name={words.verdict}>
          <Verdict request={request} /> <code>{request.status}</code>
        </Fact>
        {request.reason && <Fact name={words.reason}>{request.reason}</Fact>}
        {request.notes.length > 0 && (
          <Fact name={words.notes}>
            <ul>
              {request.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name={words.time}>{formatInstant(language, request.time)}</Fact>
        <Fact name={words.from}>
          <code>{request.address}</code>
        </Fact>
      </Facts>
      {request.body === '' ? <p>{words.emptyBody}</p> : <Code text={request.body} what={words.body} />}
    </Dialog>
  );
}

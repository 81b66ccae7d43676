import { endSessionAsPerson, listSessionsAsPerson } from '@tieline/sdk/api';
import type { SessionView } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Confirm } from '../../ui/overlays/confirm.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Page } from '../../ui/page/page.js';
import { browserName } from './browser-name.js';
import { sessionsWords } from './words.js';

/** Lists the person's sessions and ends other sessions. */
export function SessionsPage() {
  const words = useWords(sessionsWords);
  const client = useApi();
  const [ending, setEnding] = useState<SessionView>();
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => listSessionsAsPerson({ client }),
  });
  const nameOf = (session: SessionView) => browserName(session.user_agent) ?? words.unknown;
  return (
    <Page title={words.title} intro={words.intro}>
      {error && !data && <Failure failure={error} onRetry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <Table
          label={words.title}
          rows={data.sessions}
          rowId={({ id }) => id}
          columns={[
            {
              id: 'browser',
              title: words.browser,
              cell: (session) => (
                <>
                  {nameOf(session)} {session.is_current && <Badge kind="good">{words.here}</Badge>}
                </>
              ),
            },
            { id: 'address', title: words.address, cell: ({ ip }) => <code>{ip}</code> },
            { id: 'used', title: words.lastUsed, cell: (session) => <Time at={session.last_used_at} /> },
            {
              id: 'since',
              title: words.since,
              isMinor: true,
              cell: (session) => <Time at={session.created_at} />,
            },
            {
              id: 'end',
              title: words.end,
              isActions: true,
              cell: (session) =>
                !session.is_current && (
                  <Button
                    isSmall
                    aria-label={words.endNamed(nameOf(session))}
                    onPress={() => setEnding(session)}
                  >
                    {words.end}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {ending && <EndSession session={ending} name={nameOf(ending)} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}

function EndSession({ session, name, onClose }: { session: SessionView; name: string; onClose: () => void }) {
  const words = useWords(sessionsWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const end = useMutation({
    mutationFn: () => endSessionAsPerson({ client, path: { id: session.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      toast({ kind: 'good', text: words.ended });
      onClose();
    },
  });
  return (
    <Confirm
      isOpen
      title={words.confirmTitle(name)}
      action={words.endSession}
      onClose={onClose}
      onConfirm={() => end.mutate()}
      isPending={end.isPending}
      error={end.error}
    >
      {words.confirmText(session.ip)}
    </Confirm>
  );
}

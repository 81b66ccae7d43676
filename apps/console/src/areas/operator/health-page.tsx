import { useQuery } from '@tanstack/react-query';
import { useApiSession } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Badge } from '../../ui/data/badge.js';
import { Table } from '../../ui/data/table.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Note } from '../../ui/page/note.js';
import { Page } from '../../ui/page/page.js';
import { readHealth } from './health.js';
import { operatorWords } from './words.js';

const KINDS = { ok: 'good', degraded: 'warning', down: 'bad' } as const;

/** Health of the api process that serves this page. */
export function HealthPage() {
  const words = useWords(operatorWords);
  const door = useApiSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'health'],
    // Bypasses the client, because a 503 carries the complete result.
    queryFn: async () => {
      const response = await door.plain('/health/ready', { headers: { accept: 'application/json' } });
      const body: unknown = await response.json().catch(() => undefined);
      return readHealth(response.ok, body) ?? null;
    },
    refetchInterval: 5000,
  });
  return (
    <Page title={words.health} intro={words.healthIntro}>
      {error && <Failure failure={error} onRetry={refetch} />}
      {data === undefined && !error && <Loading />}
      {data === null && <Note kind="warning">{words.noHealth}</Note>}
      {data && (
        <>
          <Note kind={KINDS[data.state]}>
            {{ ok: words.healthOk, degraded: words.healthDegraded, down: words.healthBad }[data.state]}
          </Note>
          <Table
            label={words.health}
            rows={data.parts}
            rowId={({ name }) => name}
            columns={[
              { id: 'part', title: words.part, cell: ({ name }) => <code>{name}</code> },
              {
                id: 'state',
                title: words.state,
                cell: ({ state }) => <Badge kind={KINDS[state]}>{words[state]}</Badge>,
              },
            ]}
          />
          <p>{words.more}</p>
        </>
      )}
    </Page>
  );
}

import { listApprovalsAsAdmin } from '@tieline/sdk/api';
import type { ApprovalView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useBotNames } from '../../api/directory.js';
import { useWords } from '../../language/use-words.js';
import { ButtonLink } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Check } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Page, Section } from '../../ui/page/page.js';
import { Rules } from './rules.js';
import { approvalsWords } from './words.js';

const LOOKS = {
  pending: 'info',
  approved: 'good',
  denied: 'bad',
  answered: 'good',
  expired: 'warning',
  cancelled: 'plain',
} as const;

/** The rules of the space, and all approvals. */
export function ApprovalsPage() {
  const words = useWords(approvalsWords);
  return (
    <Page title={words.title} intro={words.intro}>
      <Rules />
      <Section title={words.list} isPlain>
        <Approvals />
      </Section>
    </Page>
  );
}

function Approvals() {
  const words = useWords(approvalsWords);
  const client = useApi();
  const bots = useBotNames();
  const query = useInfiniteQuery({
    queryKey: ['approvals', 'all'],
    queryFn: ({ pageParam: cursor }) => listApprovalsAsAdmin({ client, query: { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    refetchInterval: 15_000,
  });
  const names = new Map(bots.data?.map(({ id, display_name: name }) => [id, name]));
  return (
    <Paged query={query} rows={(page) => page.approvals}>
      {(approvals) => (
        <Table
          label={words.list}
          rows={approvals}
          rowId={({ id }) => id}
          empty={
            <Empty icon={<Check size={28} />} title={words.none}>
              {words.noneText}
            </Empty>
          }
          columns={[
            { id: 'title', title: words.question, isName: true, cell: ({ title }) => title },
            { id: 'bot', title: words.bot, cell: ({ bot_id: id }) => names.get(id) ?? '' },
            { id: 'tool', title: words.tool, isMinor: true, cell: ({ tool }) => tool ?? '' },
            { id: 'state', title: words.state, cell: (one) => <State of={one} /> },
            { id: 'created', title: words.created, cell: ({ created_at: at }) => <Time at={at} /> },
            { id: 'do', title: words.open, isActions: true, cell: (one) => <OpenLink of={one} /> },
          ]}
        />
      )}
    </Paged>
  );
}

function State({ of: { state } }: { of: ApprovalView }) {
  const words = useWords(approvalsWords);
  return <Badge kind={LOOKS[state]}>{words[state]}</Badge>;
}

function OpenLink({ of }: { of: ApprovalView }) {
  const words = useWords(approvalsWords);
  return (
    <ButtonLink
      isSmall
      href={`/c/${of.conversation_id}/${of.message_id}`}
      aria-label={words.openNamed(of.title)}
    >
      {words.open}
    </ButtonLink>
  );
}

import { getConversationAsPerson, listApprovalsAsPerson } from '@tieline/sdk/api';
import type { ApprovalView } from '@tieline/sdk/api';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Paged } from '../../../ui/data/more.js';
import { Check } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Page } from '../../../ui/page/page.js';
import { LiveProvider, useLiveEvents } from '../live/live-context.js';
import { NamesProvider, useNames } from '../names.js';
import { ApprovalCard } from './approval-card.js';
import styles from './approval-card.module.css';
import { approvalWords } from './words.js';

/** Approvals that the person may decide. */
export function WaitingPage() {
  return (
    <LiveProvider>
      <NamesProvider>
        <Waiting />
      </NamesProvider>
    </LiveProvider>
  );
}

function Waiting() {
  const words = useWords(approvalWords);
  const client = useApi();
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: ({ pageParam: cursor }) => listApprovalsAsPerson({ client, query: { limit: 50, cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
  });
  const refresh = () => void queries.invalidateQueries({ queryKey: ['approvals'] }, { cancelRefetch: false });
  useLiveEvents(({ event }) => {
    if (['connected', 'resync', 'approval.created', 'approval.updated'].includes(event)) refresh();
  });
  const count = query.data?.pages.reduce((sum, page) => sum + page.approvals.length, 0) ?? 0;
  const shown = query.hasNextPage ? `${count}+` : String(count);
  return (
    <Page title={words.title} intro={words.intro} badge={count > 0 && <Badge kind="info">{shown}</Badge>}>
      <Paged query={query} rows={(page) => page.approvals}>
        {(approvals) =>
          approvals.length === 0 ? (
            <Empty icon={<Check size={28} />} title={words.none}>
              {words.noneText}
            </Empty>
          ) : (
            <div className={styles.cards}>
              {approvals.map((approval) => (
                <Card key={approval.id} approval={approval} onChange={refresh} />
              ))}
            </div>
          )
        }
      </Paged>
    </Page>
  );
}

/** The card of an approval, with the bot that asks and the conversation. */
function Card({ approval, onChange }: { approval: ApprovalView; onChange: () => void }) {
  const words = useWords(approvalWords);
  const client = useApi();
  const names = useNames();
  const { bot_id: bot, conversation_id: id, message_id: messageId } = approval;
  // Fails for approvers who are not members, who then see only the bot.
  const { data } = useQuery({
    queryKey: ['chat', 'conversation', id],
    queryFn: () => getConversationAsPerson({ client, path: { id } }),
    staleTime: 60_000,
  });
  const place = data && names.conversation(data.conversation);
  return (
    <ApprovalCard
      approval={approval}
      mayDecide
      onChange={onChange}
      asker={words.askedBy(names.of(bot), place || undefined)}
    >
      <ButtonLink isSmall href={`/c/${id}/${messageId}`}>
        {words.toMessage}
      </ButtonLink>
    </ApprovalCard>
  );
}

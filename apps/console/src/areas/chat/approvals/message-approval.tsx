import { getApprovalAsPerson } from '@tieline/sdk/api';
import type { ApprovalView } from '@tieline/sdk/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { useLiveEvents } from '../live/live-context.js';
import { ApprovalCard } from './approval-card.js';
import { approvalWords } from './words.js';

/** The card of an approval in its conversation. */
export function MessageApproval({ id }: { id: string }) {
  const words = useWords(approvalWords);
  const client = useApi();
  const queries = useQueryClient();
  const queryKey = ['chat', 'approval', id];
  const { data, isError } = useQuery({
    queryKey,
    queryFn: () => getApprovalAsPerson({ client, path: { id } }),
  });
  // The stream does not say whether this person may decide.
  const refresh = () => void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  useLiveEvents((event) => {
    if (event.event === 'connected' || event.event === 'resync') refresh();
    else if (event.event === 'approval.updated' && event.approval.id === id) refresh();
  });
  if (isError) return <p>{words.gone}</p>;
  if (!data) return null;
  const keep = (approval: ApprovalView) => {
    queries.setQueryData(queryKey, {
      ...data,
      approval: { ...data.approval, ...approval, may_decide: approval.state === 'pending' },
    });
    void queries.invalidateQueries({ queryKey: ['approvals'] });
  };
  return <ApprovalCard approval={data.approval} mayDecide={data.approval.may_decide} onChange={keep} />;
}

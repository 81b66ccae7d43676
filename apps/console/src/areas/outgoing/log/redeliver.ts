import { redeliverDeliveryAsAdmin } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { logWords } from './words.js';

/** Sends deliveries again, one at a time, and reports how many succeeded. */
export function useRedeliver(onDone?: (newIds: string[]) => void) {
  const words = useWords(logWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const made: string[] = [];
      const failures: Error[] = [];
      for (const id of ids) {
        const sent = await redeliverDeliveryAsAdmin({ client, path: { id } }).catch(
          (failure: Error) => failure,
        );
        if (sent instanceof Error) failures.push(sent);
        else made.push(sent.delivery_id);
      }
      if (made.length === 0 && failures[0]) throw failures[0];
      return { made, failed: failures.length };
    },
    onSuccess: ({ made, failed }) => {
      toast({ kind: 'good', text: words.redelivered(made.length) });
      if (failed > 0) toast({ kind: 'bad', text: words.redeliverFailed(failed) });
      onDone?.(made);
    },
    onError: (failure) => toast({ kind: 'bad', failure }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['outgoing'] }),
  });
}

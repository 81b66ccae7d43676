import { deleteOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApi } from '../../../app/api/api-context.js';
import { useWords } from '../../../app/words/use-words.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { outgoingWords } from '../words.js';

/** Deletes a subscription, after saying what goes with it. */
export function DeleteSubscription({
  subscription: { id, name, url },
  onClose,
}: {
  subscription: SubscriptionView;
  onClose: () => void;
}) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => deleteOutgoingWebhookAsAdmin({ client, path: { id } }),
    onSuccess: async () => {
      toast({ kind: 'good', text: words.removed });
      await navigate({ to: '/outgoing' });
      await queries.invalidateQueries({ queryKey: ['outgoing', 'list'] });
    },
  });
  return (
    <Confirm
      isOpen
      title={words.removeTitle(name)}
      action={words.removeDo}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {words.removeText(url)}
    </Confirm>
  );
}

import { deleteOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Removal } from '../../../ui/overlays/removal.js';
import { outgoingWords } from '../words.js';

/** Asks for confirmation, then deletes a subscription. */
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
  return (
    <Removal
      title={words.removeTitle(name)}
      action={words.removeDo}
      remove={() => deleteOutgoingWebhookAsAdmin({ client, path: { id } })}
      done={words.removed}
      onRemoved={async () => {
        await navigate({ to: '/outgoing' });
        await queries.invalidateQueries({ queryKey: ['outgoing', 'list'] });
      }}
      onClose={onClose}
    >
      {words.removeText(url)}
    </Removal>
  );
}

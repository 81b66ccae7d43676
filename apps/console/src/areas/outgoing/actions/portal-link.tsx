import { createPortalLinkAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { SecretOnce } from '../../../ui/data/secret.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Failure } from '../../../ui/page/failure.js';
import { uiWords } from '../../../ui/words.js';
import { outgoingWords } from '../words.js';

/** Creates a link to the delivery log for the author of the receiver. */
export function PortalLink({
  subscription,
  onClose,
}: {
  subscription: SubscriptionView;
  onClose: () => void;
}) {
  const words = useWords(outgoingWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const make = useMutation({
    mutationFn: () => createPortalLinkAsAdmin({ client, path: { id: subscription.id } }),
    gcTime: 0,
  });
  return (
    <Dialog isOpen title={words.portalTitle} onClose={onClose} isKept={!!make.data}>
      <p>{words.portalText}</p>
      {make.error && <Failure failure={make.error} />}
      {make.data && <SecretOnce name={words.portalUrl} value={make.data.url} />}
      <FormActions>
        {make.data ? (
          <Button kind="primary" onPress={onClose}>
            {ui.done}
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>{ui.cancel}</Button>
            <Button kind="primary" onPress={() => make.mutate()} isPending={make.isPending}>
              {words.portalMake}
            </Button>
          </>
        )}
      </FormActions>
    </Dialog>
  );
}

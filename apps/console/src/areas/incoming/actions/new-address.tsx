import { regenerateIncomingWebhookTokenAsAdmin } from '@tieline/sdk/api';
import type { IncomingWebhookView } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Select } from '../../../ui/forms/select.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { uiWords } from '../../../ui/words.js';
import { Connect } from '../wizard/connect.js';
import { CURL, SENDERS } from '../wizard/senders.js';
import type { Sender } from '../wizard/senders.js';
import { incomingWords } from '../words.js';

/** Creates a new address for a webhook and shows how to use it. */
export function NewAddress({ webhook, onClose }: { webhook: IncomingWebhookView; onClose: () => void }) {
  const words = useWords(incomingWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const [sender, setSender] = useState<Sender>(() => guess(webhook.name));
  const renew = useMutation({
    mutationFn: () => regenerateIncomingWebhookTokenAsAdmin({ client, path: { id: webhook.id } }),
    gcTime: 0,
  });
  if (!renew.data)
    return (
      <Confirm
        isOpen
        title={words.newAddressTitle(webhook.name)}
        action={words.newAddressDo}
        onClose={onClose}
        onConfirm={() => renew.mutate()}
        isPending={renew.isPending}
        error={renew.error}
      >
        {words.newAddressText}
      </Confirm>
    );
  return (
    <Dialog isOpen isKept isWide title={words.connectTitle(webhook.name)} onClose={onClose}>
      <Select
        label={words.sender}
        value={sender.id}
        options={SENDERS.map(({ id, name }) => ({ id, label: name }))}
        onChange={(chosen) => setSender(SENDERS.find(({ id }) => id === chosen) ?? CURL)}
      />
      <Connect webhook={webhook} sender={sender} url={renew.data.url} token={renew.data.token} />
      <FormActions>
        <Button kind="primary" onPress={onClose}>
          {ui.done}
        </Button>
      </FormActions>
    </Dialog>
  );
}

/** Guesses the sender from the webhook's name. */
const guess = (name: string): Sender =>
  SENDERS.find((sender) => name.toLowerCase().includes(sender.name.toLowerCase())) ?? CURL;

import { rotateOutgoingWebhookSecretAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../app/api/api-context.js';
import { useWords } from '../../../app/words/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { SecretOnce } from '../../../ui/data/secret.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Select } from '../../../ui/forms/select.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { uiWords } from '../../../ui/words.js';
import { outgoingWords } from '../words.js';

const HOURS = ['24', '1', '168', '0'] as const;

/** Makes a new secret, with the old one beside it for as long as the receiver needs. */
export function RotateSecret({
  subscription,
  onClose,
}: {
  subscription: SubscriptionView;
  onClose: () => void;
}) {
  const words = useWords(outgoingWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const queries = useQueryClient();
  const [hours, setHours] = useState<(typeof HOURS)[number]>('24');
  const rotate = useMutation({
    mutationFn: () =>
      rotateOutgoingWebhookSecretAsAdmin({
        client,
        path: { id: subscription.id },
        body: { overlap_seconds: Number(hours) * 3600 },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['outgoing'] }),
    gcTime: 0,
  });
  return (
    <Dialog isOpen title={words.rotateTitle(subscription.name)} onClose={onClose} isKept={!!rotate.data}>
      {rotate.data ? (
        <>
          <SecretOnce name={words.secret} value={rotate.data.signing_secret} />
          <FormActions>
            <Button kind="primary" onPress={onClose}>
              {ui.done}
            </Button>
          </FormActions>
        </>
      ) : (
        <Form onSubmit={() => rotate.mutate()} error={rotate.error}>
          <p>{words.rotateText}</p>
          <Select
            label={words.overlap}
            name="overlap_seconds"
            value={hours}
            options={HOURS.map((id) => ({ id, label: words[`overlap${id}`] }))}
            onChange={setHours}
          />
          <FormActions>
            <Button onPress={onClose}>{ui.cancel}</Button>
            <Button type="submit" kind={hours === '0' ? 'danger' : 'primary'} isPending={rotate.isPending}>
              {words.rotateDo}
            </Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}

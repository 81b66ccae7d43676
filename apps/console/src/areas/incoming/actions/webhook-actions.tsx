import {
  deleteIncomingWebhookAsAdmin,
  rotateIncomingWebhookSecretAsAdmin,
  updateIncomingWebhookAsAdmin,
} from '@tieline/sdk/api';
import type { IncomingWebhookView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Menu } from '../../../ui/actions/menu.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { RotateSecret } from '../../../ui/overlays/rotate-secret.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { incomingWords } from '../words.js';
import { NewAddress } from './new-address.js';

type Open = 'address' | 'secret' | 'off' | 'delete';

/** Actions on a webhook. */
export function WebhookActions({ webhook }: { webhook: IncomingWebhookView }) {
  const words = useWords(incomingWords);
  const client = useApi();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const toggle = useSwitch(webhook, close);
  const remove = useDelete(webhook);
  const { name, is_active: isActive } = webhook;
  return (
    <>
      {!isActive && (
        <Button kind="primary" onPress={() => toggle.mutate(true)} isPending={toggle.isPending}>
          {words.switchOn}
        </Button>
      )}
      <Button onPress={() => setOpen('address')}>{words.newAddress}</Button>
      <Menu
        label={words.actions}
        actions={[
          { id: 'secret', label: words.newSecret, onAction: () => setOpen('secret') },
          ...(isActive ? [{ id: 'off', label: words.switchOff, onAction: () => setOpen('off') }] : []),
          { id: 'delete', label: words.remove, isDanger: true, onAction: () => setOpen('delete') },
        ]}
      />
      {open === 'address' && <NewAddress webhook={webhook} onClose={close} />}
      {open === 'secret' && (
        <RotateSecret
          title={words.secretTitle(webhook.name)}
          rotate={async (seconds) => {
            const { signing_secret: secret } = await rotateIncomingWebhookSecretAsAdmin({
              client,
              path: { id: webhook.id },
              body: { overlap_seconds: seconds },
            });
            return secret;
          }}
          queryKey={['incoming']}
          onClose={close}
        >
          {words.secretText}
        </RotateSecret>
      )}
      {open === 'off' && (
        <Confirm
          isOpen
          title={words.switchOffTitle(name)}
          action={words.switchOff}
          onClose={close}
          onConfirm={() => toggle.mutate(false)}
          isPending={toggle.isPending}
          error={toggle.error}
        >
          {words.switchOffText}
        </Confirm>
      )}
      {open === 'delete' && (
        <Confirm
          isOpen
          title={words.removeTitle(name)}
          action={words.removeDo}
          onClose={close}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending}
          error={remove.error}
        >
          {words.removeText}
        </Confirm>
      )}
    </>
  );
}

function useSwitch({ id }: IncomingWebhookView, onDone: () => void) {
  const words = useWords(incomingWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (isActive: boolean) =>
      updateIncomingWebhookAsAdmin({ client, path: { id }, body: { is_active: isActive } }),
    onSuccess: async ({ webhook }) => {
      await queries.invalidateQueries({ queryKey: ['incoming'] });
      toast({ kind: 'good', text: webhook.is_active ? words.switchedOn : words.switchedOff });
      onDone();
    },
    onError: (error) => toast({ kind: 'bad', failure: error }),
  });
}

function useDelete({ id }: IncomingWebhookView) {
  const words = useWords(incomingWords);
  const client = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  return useMutation({
    mutationFn: () => deleteIncomingWebhookAsAdmin({ client, path: { id } }),
    onSuccess: async () => {
      toast({ kind: 'good', text: words.removed });
      await navigate({ to: '/incoming' });
      await queries.invalidateQueries({ queryKey: ['incoming', 'list'] });
    },
  });
}

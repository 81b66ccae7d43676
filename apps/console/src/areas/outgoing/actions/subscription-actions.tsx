import { rotateOutgoingWebhookSecretAsAdmin, updateOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Menu } from '../../../ui/actions/menu.js';
import { Confirm } from '../../../ui/overlays/confirm.js';
import { RotateSecret } from '../../../ui/overlays/rotate-secret.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { outgoingWords } from '../words.js';
import { DeleteSubscription } from './delete-subscription.js';
import { PortalLink } from './portal-link.js';
import { Recover } from './recover.js';
import type { Test } from './test-send.js';

type Open = 'rotate' | 'portal' | 'recover' | 'off' | 'delete';

/** Actions on a subscription. */
export function SubscriptionActions({ subscription, test }: { subscription: SubscriptionView; test: Test }) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const toggle = useSwitch(subscription, close);
  const isActive = subscription.status === 'active';
  return (
    <>
      {!isActive && (
        <Button onPress={() => toggle.mutate('active')} isPending={toggle.isPending}>
          {words.switchOn}
        </Button>
      )}
      <Button kind="primary" onPress={() => test.mutate()} isPending={test.isPending}>
        {words.test}
      </Button>
      <Menu
        label={words.moreActions}
        actions={[
          { id: 'recover', label: words.recover, onAction: () => setOpen('recover') },
          { id: 'rotate', label: words.rotate, onAction: () => setOpen('rotate') },
          { id: 'portal', label: words.portal, onAction: () => setOpen('portal') },
          ...(isActive ? [{ id: 'off', label: words.switchOff, onAction: () => setOpen('off') }] : []),
          { id: 'delete', label: words.remove, isDanger: true, onAction: () => setOpen('delete') },
        ]}
      />
      {open === 'rotate' && (
        <RotateSecret
          title={words.rotateTitle(subscription.name)}
          rotate={async (seconds) => {
            const { signing_secret: secret } = await rotateOutgoingWebhookSecretAsAdmin({
              client,
              path: { id: subscription.id },
              body: { overlap_seconds: seconds },
            });
            return secret;
          }}
          queryKey={['outgoing']}
          onClose={close}
        >
          {words.rotateText}
        </RotateSecret>
      )}
      {open === 'portal' && <PortalLink subscription={subscription} onClose={close} />}
      {open === 'recover' && <Recover subscription={subscription} onClose={close} />}
      {open === 'delete' && <DeleteSubscription subscription={subscription} onClose={close} />}
      {open === 'off' && (
        <Confirm
          isOpen
          title={words.switchOffTitle(subscription.name)}
          action={words.switchOff}
          onClose={close}
          onConfirm={() => toggle.mutate('inactive')}
          isPending={toggle.isPending}
          error={toggle.error}
        >
          {words.switchOffText}
        </Confirm>
      )}
    </>
  );
}

function useSwitch({ id }: SubscriptionView, onDone: () => void) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (status: 'active' | 'inactive') =>
      updateOutgoingWebhookAsAdmin({ client, path: { id }, body: { status } }),
    onSuccess: async ({ subscription: { status } }) => {
      await queries.invalidateQueries({ queryKey: ['outgoing'] });
      toast({ kind: 'good', text: status === 'active' ? words.switchedOn : words.switchedOff });
      onDone();
    },
    onError: (error) => toast({ kind: 'bad', failure: error }),
  });
}

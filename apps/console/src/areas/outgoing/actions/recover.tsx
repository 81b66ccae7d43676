import { listOutgoingWebhooksAsAdmin, recoverDeliveriesAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Choice } from '../../../ui/forms/choice.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Select } from '../../../ui/forms/select.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { uiWords } from '../../../ui/words.js';
import { outgoingWords } from '../words.js';

const HOUR_MS = 3_600_000;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const;
type Span = keyof typeof SPANS;

/** Dialog to send failed or all deliveries of a period again. */
export function Recover({ subscription, onClose }: { subscription: SubscriptionView; onClose: () => void }) {
  const words = useWords(outgoingWords);
  const ui = useWords(uiWords);
  const [span, setSpan] = useState<Span>('hour');
  const [only, setOnly] = useState<'failed' | 'all'>('failed');
  const [to, setTo] = useState(subscription.id);
  const targets = useTargets(subscription);
  const recover = useRecover(subscription, onClose);
  const submit = () =>
    recover.mutate({
      since: new Date(Date.now() - SPANS[span]).toISOString(),
      only,
      ...(to === subscription.id ? {} : { to }),
    });
  return (
    <Dialog isOpen title={words.recoverTitle} onClose={onClose}>
      <Form onSubmit={submit} error={recover.error}>
        <p>{words.recoverText}</p>
        <Select
          label={words.recoverSince}
          name="since"
          value={span}
          options={(Object.keys(SPANS) as Span[]).map((id) => ({ id, label: words[id] }))}
          onChange={setSpan}
        />
        <Choice
          isLabelled
          label={words.recoverOnly}
          value={only}
          options={[
            { id: 'failed', label: words.onlyFailed },
            { id: 'all', label: words.onlyAll },
          ]}
          onChange={setOnly}
        />
        {targets.length > 1 && (
          <Select label={words.recoverTo} name="to" value={to} options={targets} onChange={setTo} />
        )}
        <FormActions>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button type="submit" kind="primary" isPending={recover.isPending}>
            {words.recoverDo}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function useTargets({ id }: SubscriptionView) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const { data } = useQuery({
    queryKey: ['outgoing', 'targets'],
    queryFn: () => listOutgoingWebhooksAsAdmin({ client, query: { limit: 200 } }),
  });
  const others = (data?.subscriptions ?? []).filter((one) => one.id !== id);
  return [{ id, label: words.recoverHere }, ...others.map((one) => ({ id: one.id, label: one.name }))];
}

function useRecover({ id }: SubscriptionView, onDone: () => void) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: { since: string; only: 'failed' | 'all'; to?: string }) =>
      recoverDeliveriesAsAdmin({ client, path: { id }, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['outgoing'] });
      toast({ kind: 'good', text: words.recoverBegun });
      onDone();
    },
  });
}

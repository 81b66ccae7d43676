import { updateOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { bodyOf, draftOf } from './draft.js';
import { SubscriptionFields } from './fields.js';
import styles from './settings.module.css';
import { settingsWords } from './words.js';

/** Form to change a subscription. */
export function EditSettings({ subscription }: { subscription: SubscriptionView }) {
  const words = useWords(settingsWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState(() => draftOf(subscription));
  const save = useMutation({
    mutationFn: () =>
      updateOutgoingWebhookAsAdmin({ client, path: { id: subscription.id }, body: bodyOf(draft) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['outgoing'] });
      toast({ kind: 'good', text: words.saved });
    },
  });
  return (
    <Form onSubmit={() => save.mutate()} error={save.error}>
      <div className={styles.parts}>
        <SubscriptionFields draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
      </div>
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          isPending={save.isPending}
          isDisabled={draft.eventTypes.length === 0}
        >
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}

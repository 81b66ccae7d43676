import { updateOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { SubscriptionView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Time } from '../../../ui/data/time.js';
import { Note } from '../../../ui/page/note.js';
import { outgoingWords } from '../words.js';
import styles from './actions.module.css';
import { isAccepted } from './test-send.js';
import type { Test } from './test-send.js';

/**
 * Explains why deliveries are paused while the receiver fails. The button sends a test and, if it
 * is accepted, releases pending deliveries.
 */
export function BreakerNote({ subscription, test }: { subscription: SubscriptionView; test: Test }) {
  const words = useWords(outgoingWords);
  const client = useApi();
  const queries = useQueryClient();
  const release = useMutation({
    mutationFn: () =>
      updateOutgoingWebhookAsAdmin({ client, path: { id: subscription.id }, body: { status: 'active' } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['outgoing'] }),
  });
  const tryNow = () =>
    test.mutate(undefined, {
      onSuccess: ({ result }) => {
        if (isAccepted(result)) release.mutate();
      },
    });
  const { state, open_until: until, consecutive_failures: failures } = subscription.breaker;
  if (state === 'closed' || subscription.status === 'inactive') return null;
  return (
    <Note kind="warning">
      <strong>{state === 'open' ? words.breakerOpen(failures) : words.breakerHalf}</strong>
      {until && (
        <span>
          {words.breakerUntil} <Time at={until} />
        </span>
      )}
      <span className={styles.inNote}>
        <Button isSmall onPress={tryNow} isPending={test.isPending || release.isPending}>
          {words.tryNow}
        </Button>
        {words.tryHint}
      </span>
    </Note>
  );
}

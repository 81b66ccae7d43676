import type { SubscriptionView } from '@tieline/sdk/api';
import { useWords } from '../../../app/words/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Time } from '../../../ui/data/time.js';
import { Note } from '../../../ui/page/note.js';
import { outgoingWords } from '../words.js';
import styles from './actions.module.css';
import type { Test } from './test-send.js';

/** Why deliveries wait when the receiver fails, until when, and the way to try at once. */
export function BreakerNote({ subscription, test }: { subscription: SubscriptionView; test: Test }) {
  const words = useWords(outgoingWords);
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
        <Button isSmall onPress={() => test.mutate()} isPending={test.isPending}>
          {words.tryNow}
        </Button>
        {words.tryHint}
      </span>
    </Note>
  );
}

import type { DeliveryView } from '@tieline/sdk/api';
import { useWords } from '../../language/use-words.js';
import { Badge } from '../data/badge.js';
import { Time } from '../data/time.js';
import styles from './deliveries.module.css';
import { deliveryWords } from './words.js';

const KINDS = { success: 'good', pending: 'info', dead: 'bad' } as const;

/** State of a delivery, with its next retry or number of attempts. */
export function DeliveryState({ delivery }: { delivery: DeliveryView }) {
  const words = useWords(deliveryWords);
  const { status, attempts, next_attempt_at: next, redelivered_as: again } = delivery;
  return (
    <span className={styles.state}>
      <Badge kind={KINDS[status]}>{words[status]}</Badge>
      <span className={styles.soft}>
        {status === 'pending' && attempts > 0 && next && (
          <>
            {words.retry(attempts)} · <Time at={next} />
          </>
        )}
        {status !== 'pending' && attempts > 1 && words.attempts(attempts)}
        {again && words.again}
      </span>
    </span>
  );
}

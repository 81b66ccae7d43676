import { getDeliveryAsAdmin } from '@tieline/sdk/api';
import type { DeliveryView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../app/api/api-context.js';
import { usePreferences } from '../../../app/preferences/preferences-context.js';
import { useWords } from '../../../app/words/use-words.js';
import { formatDuration } from '../../../ui/data/formats.js';
import styles from './log.module.css';
import { logWords } from './words.js';

/** One delivery with its attempts. What has ended does not change any more, save for being sent again. */
export function useDelivery(
  id: string,
  known?: Pick<DeliveryView, 'attempts' | 'status' | 'redelivered_as'>,
) {
  const client = useApi();
  return useQuery({
    queryKey: ['delivery', id, known?.attempts, known?.status, known?.redelivered_as],
    queryFn: () => getDeliveryAsAdmin({ client, path: { id } }),
    staleTime: known ? Infinity : 0,
  });
}

/** The list says how many attempts there were; what the last one came to is in the delivery itself. */
function useLastAttempt(delivery: DeliveryView) {
  const { data } = useDelivery(delivery.delivery_id, delivery);
  return data?.delivery.attempt_log.at(-1);
}

/** The status of the last answer. */
export function LastCode({ delivery }: { delivery: DeliveryView }) {
  const words = useWords(logWords);
  const last = useLastAttempt(delivery);
  if (!last) return <span className={styles.soft}>–</span>;
  if (last.status_code === null)
    return (
      <span className={styles.soft} title={last.error ?? undefined}>
        {words.noAnswer}
      </span>
    );
  return <code>{last.status_code}</code>;
}

/** How long the last attempt took. */
export function LastDuration({ delivery }: { delivery: DeliveryView }) {
  const { language } = usePreferences();
  const last = useLastAttempt(delivery);
  return last ? formatDuration(language, last.duration_ms) : <span className={styles.soft}>–</span>;
}

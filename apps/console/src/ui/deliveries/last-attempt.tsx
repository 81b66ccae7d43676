import type { DeliveryView } from '@tieline/sdk/api';
import { usePreferences } from '../../language/preferences-context.js';
import { useWords } from '../../language/use-words.js';
import { formatDuration } from '../data/formats.js';
import type { Column } from '../data/table.js';
import styles from './deliveries.module.css';
import { deliveryWords } from './words.js';

/** Columns for the result of a delivery's last attempt. */
export function useLastAttemptColumns(): Column<DeliveryView>[] {
  const words = useWords(deliveryWords);
  return [
    { id: 'code', title: words.code, isNumber: true, cell: (row) => <LastCode delivery={row} /> },
    { id: 'ms', title: words.duration, isNumber: true, cell: (row) => <LastDuration delivery={row} /> },
  ];
}

function LastCode({ delivery: { last_status_code: code } }: { delivery: DeliveryView }) {
  const words = useWords(deliveryWords);
  if (code === undefined) return <span className={styles.soft}>–</span>;
  return code === null ? <span className={styles.soft}>{words.noAnswer}</span> : <code>{code}</code>;
}

function LastDuration({ delivery: { last_duration_ms: ms } }: { delivery: DeliveryView }) {
  const { language } = usePreferences();
  return ms === undefined ? <span className={styles.soft}>–</span> : formatDuration(language, ms);
}

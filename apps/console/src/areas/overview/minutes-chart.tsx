import type { DeliveryStatsAnswer } from '@tieline/sdk/api';
import { usePreferences } from '../../language/preferences-context.js';
import { useWords } from '../../language/use-words.js';
import { formatNumber, formatClock } from '../../ui/data/formats.js';
import { Chart, HEIGHT, STEP } from './chart.js';
import { topOf } from './curve.js';
import styles from './overview.module.css';
import { overviewWords } from './words.js';

type Minute = DeliveryStatsAnswer['minutes'][number];

/** A bar per minute: delivered, with failed deliveries on top. */
export function MinutesChart({ minutes, total }: Pick<DeliveryStatsAnswer, 'minutes' | 'total'>) {
  const words = useWords(overviewWords);
  const { language } = usePreferences();
  const most = topOf(
    minutes.map(({ delivered, failed }) => delivered + failed),
    5,
  );
  const said = ({ delivered, failed }: Pick<Minute, 'delivered' | 'failed'>) =>
    words.chartText(formatNumber(language, delivered), formatNumber(language, failed));
  return (
    <Chart
      label={`${words.chart}: ${said(total)}`}
      instants={minutes.map(({ at }) => at)}
      top={formatNumber(language, most)}
      legend={[
        { look: styles.ofDelivered, label: words.delivered },
        { look: styles.ofFailed, label: words.failed },
      ]}
    >
      {minutes.map((minute, index) => (
        <g key={minute.at}>
          <title>{`${formatClock(language, minute.at)}: ${said(minute)}`}</title>
          <rect className={styles.hover} x={index * STEP} y={0} width={STEP} height={HEIGHT} />
          <Bar x={index * STEP} minute={minute} scale={HEIGHT / most} />
        </g>
      ))}
    </Chart>
  );
}

function Bar({ x, minute: { delivered, failed }, scale }: { x: number; minute: Minute; scale: number }) {
  const parts = [
    { value: delivered, below: 0, look: styles.delivered },
    { value: failed, below: delivered, look: styles.failed },
  ];
  return parts.map(
    ({ value, below, look }) =>
      value > 0 && (
        <rect
          key={look}
          className={look}
          x={x + 1}
          width={STEP - 2}
          y={HEIGHT - (below + value) * scale}
          height={value * scale}
        />
      ),
  );
}

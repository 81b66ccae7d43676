import type { DeliveryStatsAnswer } from '@tieline/sdk/api';
import { usePreferences } from '../../language/preferences-context.js';
import { useWords } from '../../language/use-words.js';
import { formatDuration, formatClock } from '../../ui/data/formats.js';
import { Chart, HEIGHT, STEP } from './chart.js';
import { runsOf, topOf } from './curve.js';
import type { Measurement } from './curve.js';
import styles from './overview.module.css';
import { overviewWords } from './words.js';

/** Two curves per minute: median and 95th percentile of the delivery time. */
export function LatencyChart({ minutes, total }: Pick<DeliveryStatsAnswer, 'minutes' | 'total'>) {
  const words = useWords(overviewWords);
  const { language } = usePreferences();
  const shown = (ms: number | null) => (ms === null ? words.none : formatDuration(language, ms));
  const said = ({ p50_ms: half, p95_ms: most }: { p50_ms: number | null; p95_ms: number | null }) =>
    `${words.p50} ${shown(half)}, ${words.p95} ${shown(most)}`;
  const top = topOf(
    minutes.map(({ p95_ms: ms }) => ms),
    10,
  );
  return (
    <Chart
      label={`${words.latency}: ${said(total)}`}
      instants={minutes.map(({ at }) => at)}
      top={formatDuration(language, top)}
      legend={[
        { look: styles.ofHalf, label: words.p50 },
        { look: styles.ofMost, label: words.p95 },
      ]}
    >
      <Curve look={styles.most} values={minutes.map(({ p95_ms: ms }) => ms)} top={top} />
      <Curve look={styles.half} values={minutes.map(({ p50_ms: ms }) => ms)} top={top} />
      {minutes.map((minute, index) => (
        <rect key={minute.at} className={styles.hover} x={index * STEP} y={0} width={STEP} height={HEIGHT}>
          <title>{`${formatClock(language, minute.at)}: ${said(minute)}`}</title>
        </rect>
      ))}
    </Chart>
  );
}

function Curve({
  look,
  values,
  top,
}: {
  look: string | undefined;
  values: readonly Measurement[];
  top: number;
}) {
  const y = (value: number) => HEIGHT - (value / top) * (HEIGHT - 2) - 1;
  return runsOf(values).map((run) => {
    const [first] = run;
    const end = run.at(-1);
    if (!first || !end) return null;
    // A minute between two gaps is drawn as a line of its width.
    const points = [{ ...first, at: first.at - 0.5 }, ...run, { ...end, at: end.at + 0.5 }];
    const path = points.map(({ at, value }) => `${(at + 0.5) * STEP},${y(value)}`).join(' ');
    return <polyline key={first.at} className={look} points={path} />;
  });
}

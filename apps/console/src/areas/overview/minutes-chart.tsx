import { usePreferences } from '../../app/preferences/preferences-context.js';
import { formatInstant, formatNumber } from '../../ui/data/formats.js';
import { useWords } from '../../app/words/use-words.js';
import styles from './overview.module.css';
import { totalsOf } from './summary.js';
import type { Minute } from './summary.js';
import { overviewWords } from './words.js';

const HEIGHT = 96;
const STEP = 10;

/** A bar a minute: what arrived, what waits above it, what was given up on top. */
export function MinutesChart({ minutes }: { minutes: readonly Minute[] }) {
  const words = useWords(overviewWords);
  const { language } = usePreferences();
  const most = Math.max(4, ...minutes.map(({ success, failed, waiting }) => success + failed + waiting));
  const said = (minute: Pick<Minute, 'success' | 'failed' | 'waiting'>) =>
    words.chartText(
      formatNumber(language, minute.success),
      formatNumber(language, minute.failed),
      formatNumber(language, minute.waiting),
    );
  return (
    <svg
      className={styles.chart}
      role="img"
      aria-label={`${words.chart}: ${said(totalsOf(minutes))}`}
      viewBox={`0 0 ${minutes.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <line className={styles.floor} x1={0} x2={minutes.length * STEP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {minutes.map((minute, index) => (
        <g key={minute.at}>
          <title>{`${formatInstant(language, new Date(minute.at))}: ${said(minute)}`}</title>
          <Bar x={index * STEP} minute={minute} scale={(HEIGHT - 4) / most} />
        </g>
      ))}
    </svg>
  );
}

function Bar({ x, minute, scale }: { x: number; minute: Minute; scale: number }) {
  const parts = [
    { value: minute.success, look: styles.success },
    { value: minute.waiting, look: styles.waiting },
    { value: minute.failed, look: styles.failed },
  ];
  return parts.map(({ value, look }, index) => {
    const below = parts.slice(0, index).reduce((sum, part) => sum + part.value, 0);
    const height = value * scale;
    return (
      value > 0 && (
        <rect
          key={look}
          className={look}
          x={x + 1}
          width={STEP - 2}
          y={HEIGHT - below * scale - height}
          height={height}
        />
      )
    );
  });
}

import type { ReactNode } from 'react';
import { usePreferences } from '../../language/preferences-context.js';
import { formatClock } from '../../ui/data/formats.js';
import styles from './overview.module.css';

/** Height and width of one minute in chart units. The chart is stretched to its container. */
export const HEIGHT = 96;
export const STEP = 10;

interface ChartProps {
  /** Accessible description with the totals. */
  label: string;
  /** Start time of each minute. */
  instants: readonly string[];
  /** Label of the highest value. */
  top: string;
  legend: readonly { look: string | undefined; label: string }[];
  children: ReactNode;
}

/** Frame of a chart over minutes: scale, time axis and legend. */
export function Chart({ label, instants, top, legend, children }: ChartProps) {
  const { language } = usePreferences();
  const [first, last] = [instants[0], instants.at(-1)];
  const width = instants.length * STEP;
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend} aria-hidden>
        {legend.map(({ look, label: text }) => (
          <span key={text} className={`${styles.key} ${look}`}>
            {text}
          </span>
        ))}
      </figcaption>
      <div className={styles.plot}>
        <span className={styles.top} aria-hidden>
          {top}
        </span>
        <svg
          className={styles.drawing}
          role="img"
          aria-label={label}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {[0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => (
            <line key={y} className={styles.floor} x1={0} x2={width} y1={y} y2={y} />
          ))}
          {children}
        </svg>
      </div>
      <div className={styles.times} aria-hidden>
        <span>{first && formatClock(language, first)}</span>
        <span>{last && formatClock(language, last)}</span>
      </div>
    </figure>
  );
}

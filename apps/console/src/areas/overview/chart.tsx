import type { ReactNode } from 'react';
import { usePreferences } from '../../app/preferences/preferences-context.js';
import { formatTime } from '../../ui/data/formats.js';
import styles from './overview.module.css';

/** Height and width of one minute in the chart's own units: it is stretched to its place. */
export const HEIGHT = 96;
export const STEP = 10;

interface ChartProps {
  /** For screen readers: what it shows and what that comes to. */
  label: string;
  /** The beginnings of its minutes. */
  instants: readonly string[];
  /** What its height stands for. */
  top: string;
  legend: readonly { look: string | undefined; label: string }[];
  children: ReactNode;
}

/** A frame of minutes: what is drawn, its scale, its time, and what the colours mean. */
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
        <span>{first && formatTime(language, first)}</span>
        <span>{last && formatTime(language, last)}</span>
      </div>
    </figure>
  );
}

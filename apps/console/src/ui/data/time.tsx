import { createContext, use, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { usePreferences } from '../../language/preferences-context.js';
import { formatAgo, formatInstant } from './formats.js';

const TICK_MS = 1_000;
const Clock = createContext<number | undefined>(undefined);

/** A shared clock, so that all times on the page use the same moment. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <Clock value={now}>{children}</Clock>;
}

/** A relative time that updates, with the exact time on hover and in its `datetime` attribute. */
export function Time({ at }: { at: string }) {
  const { language } = usePreferences();
  const now = use(Clock);
  if (now === undefined) throw new Error('no clock: render inside <App>');
  const ahead = new Date(at).getTime() - now;
  // A time between the last tick and now counts as now, not as the future.
  const isNow = ahead > 0 && ahead <= TICK_MS;
  return (
    <time dateTime={at} title={formatInstant(language, at)}>
      {formatAgo(language, isNow ? new Date(now) : at, now)}
    </time>
  );
}

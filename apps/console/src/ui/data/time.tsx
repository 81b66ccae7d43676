import { createContext, use, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { usePreferences } from '../../app/preferences/preferences-context.js';
import { formatAgo, formatInstant } from './formats.js';

const TICK_MS = 1_000;
const Clock = createContext<number | undefined>(undefined);

/** One clock for the whole page: whatever stands beside each other counts from the same moment. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <Clock value={now}>{children}</Clock>;
}

/** How long ago or how soon, kept current; the exact instant on hover and for programs. */
export function Time({ at }: { at: string }) {
  const { language } = usePreferences();
  const now = use(Clock);
  if (now === undefined) throw new Error('no clock: render inside <App>');
  const ahead = new Date(at).getTime() - now;
  // What has come since the last tick is not of the future.
  const isNow = ahead > 0 && ahead <= TICK_MS;
  return (
    <time dateTime={at} title={formatInstant(language, at)}>
      {formatAgo(language, isNow ? new Date(now) : at, now)}
    </time>
  );
}

import { useEffect, useState } from 'react';
import { usePreferences } from '../../app/preferences/preferences-context.js';
import { formatAgo, formatInstant } from './formats.js';

/** How long ago or how soon, kept current; the exact instant on hover and for programs. */
export function Time({ at }: { at: string }) {
  const { language } = usePreferences();
  const now = useNow(15_000);
  return (
    <time dateTime={at} title={formatInstant(language, at)}>
      {formatAgo(language, at, now)}
    </time>
  );
}

/** The clock, read anew every so many milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

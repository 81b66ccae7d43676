import type { Language } from '../../language/define-words.js';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU' };

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** Cached: creating a formatter costs as much as rendering a message. */
const formats = (options: Intl.DateTimeFormatOptions): Readonly<Record<Language, Intl.DateTimeFormat>> => ({
  en: new Intl.DateTimeFormat(LOCALES.en, options),
  ru: new Intl.DateTimeFormat(LOCALES.ru, options),
});
const INSTANT = formats({ dateStyle: 'medium', timeStyle: 'medium' });
const DAY = formats({ dateStyle: 'medium' });
const CLOCK = formats({ hour: '2-digit', minute: '2-digit' });

/** Date and time with seconds, in the browser's time zone. */
export const formatInstant = (language: Language, instant: string | Date): string =>
  INSTANT[language].format(new Date(instant));

/** Date only. */
export const formatDay = (language: Language, instant: string | Date): string =>
  DAY[language].format(new Date(instant));

/** Hours and minutes only. */
export const formatClock = (language: Language, instant: string | Date): string =>
  CLOCK[language].format(new Date(instant));

/**
 * Formats “3 minutes ago” or “in 2 hours”, and a date from a week on.
 *
 * @param now milliseconds
 */
export function formatAgo(language: Language, instant: string | Date, now: number): string {
  const seconds = Math.round((new Date(instant).getTime() - now) / 1000);
  const size = Math.abs(seconds);
  if (size >= 7 * 86_400) return formatDay(language, instant);
  const [unit, length] = STEPS.find(([, atLeast]) => size >= atLeast) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto', style: 'short' });
  return format.format(Math.trunc(seconds / length), unit);
}

/** Groups digits: 12,345. */
export function formatNumber(language: Language, value: number): string {
  return new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 1 }).format(value);
}

/** Formats a fraction of one as a percentage. */
export function formatShare(language: Language, share: number): string {
  return new Intl.NumberFormat(LOCALES[language], { style: 'percent', maximumFractionDigits: 1 }).format(
    share,
  );
}

/** Formats milliseconds: 84ms, 1.2s, 3m. */
export function formatDuration(language: Language, ms: number): string {
  const number = (value: number, unit: string) =>
    new Intl.NumberFormat(LOCALES[language], {
      style: 'unit',
      unit,
      unitDisplay: 'narrow',
      maximumFractionDigits: unit === 'millisecond' ? 0 : 1,
    }).format(value);
  if (ms < 1000) return number(ms, 'millisecond');
  if (ms < 60_000) return number(ms / 1000, 'second');
  return number(ms / 60_000, 'minute');
}

/** Formats a number of bytes. */
export function formatBytes(language: Language, bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)), units.length - 1);
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'unit',
    unit: units[step],
    // The short form of a byte has no plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}

/** How urgent a message is (contract, Incoming webhook). */
export type Severity = 'critical' | 'warning' | 'info';

const SYNONYMS: ReadonlyMap<string, Severity> = new Map([
  ...['error', 'fatal', 'emergency', 'alert', 'critical'].map((word) => [word, 'critical'] as const),
  ...['warn', 'warning'].map((word) => [word, 'warning'] as const),
  ...['debug', 'notice', 'info'].map((word) => [word, 'info'] as const),
]);
const FROM_WORST: readonly Severity[] = ['critical', 'warning', 'info'];

/** The severity that a sender's word means; an unknown word means `warning`. */
export function severityOf(word: string): Severity {
  return SYNONYMS.get(word.trim().toLowerCase()) ?? 'warning';
}

/** The most severe of several; undefined of none. */
export function worstOf(severities: readonly (Severity | undefined | null)[]): Severity | undefined {
  return FROM_WORST.find((severity) => severities.includes(severity));
}

/** Whether one is more severe than another. */
export function isWorse(one: Severity, other: Severity): boolean {
  return FROM_WORST.indexOf(one) < FROM_WORST.indexOf(other);
}

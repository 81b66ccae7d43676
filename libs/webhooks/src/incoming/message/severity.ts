/** How urgent a message is. */
export type Severity = 'critical' | 'warning' | 'info';

const SYNONYMS: ReadonlyMap<string, Severity> = new Map([
  ...['error', 'fatal', 'emergency', 'alert', 'critical'].map((word) => [word, 'critical'] as const),
  ...['warn', 'warning'].map((word) => [word, 'warning'] as const),
  ...['debug', 'notice', 'info'].map((word) => [word, 'info'] as const),
]);
const BY_SEVERITY: readonly Severity[] = ['critical', 'warning', 'info'];

/** Maps a sender's word to a severity. Unknown words map to `warning`. */
export function severityOf(word: string): Severity {
  return SYNONYMS.get(word.trim().toLowerCase()) ?? 'warning';
}

/** Returns the highest severity, or undefined if there is none. */
export function mostSevere(severities: readonly (Severity | undefined | null)[]): Severity | undefined {
  return BY_SEVERITY.find((severity) => severities.includes(severity));
}

export function isMoreSevere(one: Severity, other: Severity): boolean {
  return BY_SEVERITY.indexOf(one) < BY_SEVERITY.indexOf(other);
}

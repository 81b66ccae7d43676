/** How urgent a message is (contract, Incoming webhook). */
export type Severity = 'critical' | 'warning' | 'info';

const SYNONYMS: ReadonlyMap<string, Severity> = new Map([
  ...['error', 'fatal', 'emergency', 'alert', 'critical'].map((word) => [word, 'critical'] as const),
  ...['warn', 'warning'].map((word) => [word, 'warning'] as const),
  ...['debug', 'notice', 'info'].map((word) => [word, 'info'] as const),
]);

/** The severity that a sender's word means; an unknown word means `warning`. */
export function severityOf(word: string): Severity {
  return SYNONYMS.get(word.trim().toLowerCase()) ?? 'warning';
}

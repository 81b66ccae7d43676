import type { SettledDelivery } from '../delivery.types.js';

/** How a batch of ended deliveries changes one target's counter of consecutive dead letters. */
export interface DeadLetterRun {
  targetId: string;
  /** Whether there was a 2xx. */
  reset: boolean;
  /** Dead letters before the first 2xx, which continue the stored counter. */
  beforeReset: number;
  /** Dead letters after the last 2xx, which are the counter's new value. */
  sinceReset: number;
  /** The longest run that started within the batch. */
  longest: number;
}

/**
 * Sums up a batch in the order in which deliveries ended. The result is sorted by target, the order
 * in which rows are locked.
 */
export function deadLetterRuns(results: readonly SettledDelivery[]): DeadLetterRun[] {
  const runs = new Map<string, DeadLetterRun>();
  for (const { targetId, outcome } of results) {
    const run = runs.get(targetId) ?? { targetId, reset: false, beforeReset: 0, sinceReset: 0, longest: 0 };
    runs.set(targetId, outcome === 'success' ? { ...run, reset: true, sinceReset: 0 } : afterDeadLetter(run));
  }
  return [...runs.values()].sort((a, b) => (a.targetId < b.targetId ? -1 : 1));
}

function afterDeadLetter(run: DeadLetterRun): DeadLetterRun {
  const sinceReset = run.sinceReset + 1;
  return run.reset
    ? { ...run, sinceReset, longest: Math.max(run.longest, sinceReset) }
    : { ...run, sinceReset, beforeReset: sinceReset };
}

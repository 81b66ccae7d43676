import type { Terminal } from './terminal.js';

const WIDTH = 24;

/**
 * Processes a list with limited concurrency and shows the progress.
 *
 * @returns the results in the order of the list
 */
export async function withProgress<T, R>(
  terminal: Terminal,
  label: string,
  items: readonly T[],
  work: (item: T) => Promise<R>,
  concurrency = 4,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      terminal.signal.throwIfAborted();
      const index = next++;
      results[index] = await work(items[index]!);
      terminal.progress(bar(label, ++done, items.length));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  } finally {
    terminal.progress(undefined);
  }
  return results;
}

/** Returns a progress bar such as `redelivering [=====> ] 3/12`. */
export function bar(label: string, done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((WIDTH * done) / total);
  const head = filled < WIDTH ? '>' : '';
  return `${label} [${('='.repeat(filled) + head).padEnd(WIDTH)}] ${done}/${total}`;
}

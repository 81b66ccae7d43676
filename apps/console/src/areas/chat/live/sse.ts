/** Splits a stream into the values of its `data:` lines. Skips comments (`:ping`). */
export class DataLines {
  private rest = '';

  /** @returns the values completed by this chunk */
  take(piece: string): unknown[] {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop() ?? '';
    return lines
      .filter((line) => line.startsWith('data: '))
      .flatMap((line) => {
        try {
          return [JSON.parse(line.slice(6)) as unknown];
        } catch {
          return [];
        }
      });
  }
}

/**
 * Milliseconds before the next attempt: 0.5, 1, 2 … 30 s, minus up to a quarter, so that clients do
 * not reconnect concurrently.
 */
export const waitBefore = (attempt: number, random: number): number =>
  Math.min(500 * 2 ** attempt, 30_000) * (1 - random / 4);

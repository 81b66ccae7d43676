/**
 * Cuts what a stream sends into the values of its `data:` lines. Comments (`:ping`) are left out.
 */
export class DataLines {
  private rest = '';

  /** @returns the values that this piece completes */
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
 * Milliseconds to wait before the next attempt: 0.5, 1, 2 … 30 s, and as much as a quarter off, so
 * that not all come at once.
 */
export const waitBefore = (attempt: number, random: number): number =>
  Math.min(500 * 2 ** attempt, 30_000) * (1 - random / 4);

import { LowWaterMark } from '../low-water-mark.js';

/**
 * The low-water mark of regular batches while spaces are excluded from them. Many events of those
 * spaces may wait, and each batch would read all of them again. An event below this mark belongs to
 * an excluded space.
 */
export class RegularLowWater {
  private mark: LowWaterMark | undefined;
  private excluded: ReadonlySet<string> = new Set();

  /** @param ofAll the mark below which no event of any space waits */
  constructor(private readonly ofAll: LowWaterMark) {}

  /** Returns the mark for batches without the events of these spaces. */
  without(excluded: readonly string[]): LowWaterMark {
    const spaces = new Set(excluded);
    // Events of a space that is no longer excluded may wait below the mark.
    const isValid = [...this.excluded].every((id) => spaces.has(id));
    this.excluded = spaces;
    if (spaces.size === 0) this.mark = undefined;
    else if (!isValid || !this.mark) this.mark = this.ofAll.copy();
    return this.mark ?? this.ofAll;
  }
}

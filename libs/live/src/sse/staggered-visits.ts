/** Visiting period of a {@link StaggeredVisits}, and its number of portions. */
export interface StaggeredVisitsSettings {
  periodMs: number;
  /**
   * Number of portions. Each is visited once per period, one after another, so that thousands of
   * items cause no burst.
   */
  slots: number;
}

/**
 * Visits each of many items once per period, with a single timer that only runs while there are
 * items.
 */
export class StaggeredVisits<T> {
  private readonly slots: Set<T>[];
  private readonly tickMs: number;
  private size = 0;
  private filling = 0;
  private turning = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param visit called with one portion; must not throw and may remove items during the iteration
   */
  constructor(
    private readonly visit: (items: ReadonlySet<T>) => void,
    { periodMs, slots }: StaggeredVisitsSettings,
  ) {
    this.slots = Array.from({ length: slots }, () => new Set<T>());
    this.tickMs = Math.max(1, Math.floor(periodMs / slots));
  }

  /** The items by slot, oldest first. */
  get portions(): readonly ReadonlySet<T>[] {
    return this.slots;
  }

  /**
   * Adds an item.
   *
   * @returns its slot, for {@link remove}
   */
  add(item: T): number {
    const slot = this.filling;
    this.filling = (slot + 1) % this.slots.length;
    this.slots[slot]?.add(item);
    this.size += 1;
    this.timer ??= setInterval(() => this.turn(), this.tickMs).unref();
    return slot;
  }

  /** Removes an item from the slot returned by {@link add}. */
  remove(item: T, slot: number): void {
    if (!this.slots[slot]?.delete(item)) return;
    this.size -= 1;
    if (this.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private turn(): void {
    const items = this.slots[this.turning];
    this.turning = (this.turning + 1) % this.slots.length;
    if (items && items.size > 0) this.visit(items);
  }
}

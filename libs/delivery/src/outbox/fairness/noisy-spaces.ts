/** Maximum number of events from one noisy space in a batch. */
const MAX_BATCH = 500;
/** A space with this many events in two consecutive full batches is treated as noisy. */
const NOISY_THRESHOLD = MAX_BATCH / 4;

/** How long other spaces count as active after their last event. */
const ACTIVE_MS = 1000;
/** While other spaces are active, a noisy space's turn is cut to this fraction. */
const SHORT_TURN = 0.25;
/**
 * Pause after a turn, as a multiple of its duration: noisy spaces get a quarter of the relay's
 * time.
 */
const PAUSE_FACTOR = 3;
/**
 * Pause for a space that already fills its share of a lane. Planning more would only lengthen its
 * queue.
 */
const PAUSE_FACTOR_WHEN_FULL = 20;

/** A noisy space whose turn it is, and how many of its events to take. */
export interface NoisyTurn {
  spaceId: string;
  size: number;
  /** Size of its next turn if all events of this one are planned. */
  nextSize: number;
}

/**
 * Keeps spaces that produce more events than one batch can hold from delaying the others. Their
 * events are excluded from regular batches. Each noisy space gets its own batch in turn, so an
 * event of another space waits for at most one batch.
 */
export class NoisySpaces {
  private readonly sizes = new Map<string, number>();
  private suspects = new Set<string>();
  private othersAt = -Infinity;
  private pausedUntil = -Infinity;
  /** When spaces with a longer pause may have their next turn. */
  private readonly pausedSpaces = new Map<string, number>();
  private isFilling: (spaceId: string) => boolean = () => false;
  private timer: NodeJS.Timeout | undefined;

  get ids(): string[] {
    return [...this.sizes.keys()];
  }

  /**
   * Updates the set of noisy spaces from a regular batch.
   * @param isFull whether more events may be waiting
   */
  observeBatch(events: readonly { spaceId: string }[], isFull: boolean): void {
    const counts = new Map<string, number>();
    if (isFull) for (const { spaceId: id } of events) counts.set(id, (counts.get(id) ?? 0) + 1);
    const large = [...counts].flatMap(([id, count]) => (count >= NOISY_THRESHOLD ? id : []));
    for (const id of large) if (this.suspects.has(id)) this.add(id, MAX_BATCH);
    this.suspects = new Set(large);
  }

  /**
   * Treats the space as noisy.
   * @param size number of events in its next turn
   */
  add(spaceId: string, size: number): void {
    this.sizes.set(spaceId, Math.max(1, size));
  }

  remove(spaceId: string): void {
    this.sizes.delete(spaceId);
    this.pausedSpaces.delete(spaceId);
  }

  /** Sets the check for spaces that already fill their share of a lane. */
  setFillingCheck(isFilling: (spaceId: string) => boolean): void {
    this.isFilling = isFilling;
  }

  /** Records that a space that is not noisy had events. */
  noteOtherSpaces(now = performance.now()): void {
    this.othersAt = now;
  }

  /**
   * Returns whether no noisy space may have a turn now. There are no pauses while other spaces are
   * idle.
   * @param onEnd called when the pause ends
   */
  isPaused(onEnd: () => void, now = performance.now()): boolean {
    clearTimeout(this.timer);
    if (this.sizes.size === 0 || !this.othersAreActive(now)) return false;
    const first = Math.min(...this.ids.map((id) => this.pausedSpaces.get(id) ?? -Infinity));
    const left = Math.max(this.pausedUntil, first) - now;
    if (left <= 0) return false;
    this.timer = setTimeout(onEnd, Math.ceil(left));
    return true;
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /**
   * Returns the next noisy space and how many of its events to plan, or undefined if none is due.
   */
  nextTurn(now = performance.now()): NoisyTurn | undefined {
    const isShared = this.othersAreActive(now);
    const first = [...this.sizes].find(
      ([id]) => !isShared || (this.pausedSpaces.get(id) ?? -Infinity) <= now,
    );
    if (!first) return undefined;
    const [spaceId, size] = first;
    this.sizes.delete(spaceId);
    this.sizes.set(spaceId, size);
    // A short turn does not show how large a whole one can be.
    if (isShared) return { spaceId, size: Math.ceil(size * SHORT_TURN), nextSize: size };
    return { spaceId, size, nextSize: Math.min(MAX_BATCH, Math.ceil(size * 1.25)) };
  }

  /** Starts the pause after a turn, whether it succeeded or failed. */
  turnEnded(spaceId: string, tookMs: number, now = performance.now()): void {
    this.pausedUntil = now + PAUSE_FACTOR * tookMs;
    if (this.isFilling(spaceId)) this.pausedSpaces.set(spaceId, now + PAUSE_FACTOR_WHEN_FULL * tookMs);
    else this.pausedSpaces.delete(spaceId);
  }

  /**
   * Adjusts the size of the space's next turn. A space with fewer events than its turn allows is no
   * longer noisy.
   */
  turnPlanned({ spaceId, size, nextSize }: NoisyTurn, count: number): void {
    if (count < size) this.remove(spaceId);
    else this.add(spaceId, nextSize);
  }

  private othersAreActive(now: number): boolean {
    return now - this.othersAt < ACTIVE_MS;
  }
}

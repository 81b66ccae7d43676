/** The most events of a space that has a flood in one batch. */
const MAX_BATCH = 500;
/** A space that has so many events in a full batch, twice in succession, has a flood. */
const NOISY_THRESHOLD = MAX_BATCH / 4;

/** Spaces that had an event so short a time ago are likely to have the next one soon. */
const ACTIVE_MS = 1000;
/** A turn that others wait for is so much shorter. */
const SHORT_TURN = 0.25;
/**
 * And after it floods rest for so many times as long as it took: a quarter of the relay's time is
 * theirs.
 */
const PAUSE_FACTOR = 3;
/**
 * A space that has all the places that it gets would only have more wait for them: it rests for so
 * many times as long.
 */
const PAUSE_FACTOR_WHEN_FULL = 20;

/** A space whose turn it is, and how many of its events to take. */
export interface NoisyTurn {
  spaceId: string;
  size: number;
  /** Of its next turn, when all of this one is planned. */
  nextSize: number;
}

/**
 * Spaces from which more comes than one batch can plan: they are left out of the batches of all
 * others and get one of their own after each, by turns. So an event of another space waits for one
 * batch and not for the flood.
 */
export class NoisySpaces {
  private readonly sizes = new Map<string, number>();
  private suspects = new Set<string>();
  private othersAt = -Infinity;
  private pausedUntil = -Infinity;
  /** When the next turn of a space is, that rests for longer than all. */
  private readonly pausedSpaces = new Map<string, number>();
  private isFilling: (spaceId: string) => boolean = () => false;
  private timer: NodeJS.Timeout | undefined;

  get ids(): string[] {
    return [...this.sizes.keys()];
  }

  /** What a batch of all other spaces had. @param isFull more may be waiting */
  observeBatch(events: readonly { space_id: string }[], isFull: boolean): void {
    const counts = new Map<string, number>();
    if (isFull) for (const { space_id: id } of events) counts.set(id, (counts.get(id) ?? 0) + 1);
    const large = [...counts].flatMap(([id, count]) => (count >= NOISY_THRESHOLD ? id : []));
    for (const id of large) if (this.suspects.has(id)) this.add(id, MAX_BATCH);
    this.suspects = new Set(large);
  }

  /** @param size of its next batch */
  add(spaceId: string, size: number): void {
    this.sizes.set(spaceId, Math.max(1, size));
  }

  remove(spaceId: string): void {
    this.sizes.delete(spaceId);
    this.pausedSpaces.delete(spaceId);
  }

  /** @param isFilling whether deliveries of a space wait for places as it is */
  setFillingCheck(isFilling: (spaceId: string) => boolean): void {
    this.isFilling = isFilling;
  }

  /** Spaces without a flood had events just now. */
  noteOtherSpaces(now = performance.now()): void {
    this.othersAt = now;
  }

  /**
   * Whether no space with a flood gets a turn now. Alone they need no rest. @param over is called
   * when it is over
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

  /** While others have events as well, which wait for the end of the turn, it is a short one. */
  nextTurn(now = performance.now()): NoisyTurn | undefined {
    const isShared = this.othersAreActive(now);
    const first = [...this.sizes].find(
      ([id]) => !isShared || (this.pausedSpaces.get(id) ?? -Infinity) <= now,
    );
    if (!first) return undefined;
    const [spaceId, size] = first;
    this.sizes.delete(spaceId);
    this.sizes.set(spaceId, size);
    // A short turn says nothing about how large a whole one can be.
    if (isShared) return { spaceId, size: Math.ceil(size * SHORT_TURN), nextSize: size };
    return { spaceId, size, nextSize: Math.min(MAX_BATCH, Math.ceil(size * 1.25)) };
  }

  /** A turn of the space has ended, however. */
  turnEnded(spaceId: string, tookMs: number, now = performance.now()): void {
    this.pausedUntil = now + PAUSE_FACTOR * tookMs;
    if (this.isFilling(spaceId)) this.pausedSpaces.set(spaceId, now + PAUSE_FACTOR_WHEN_FULL * tookMs);
    else this.pausedSpaces.delete(spaceId);
  }

  /** A turn was planned as it was taken. */
  turnPlanned({ spaceId, size, nextSize }: NoisyTurn, count: number): void {
    if (count < size) this.remove(spaceId);
    else this.add(spaceId, nextSize);
  }

  private othersAreActive(now: number): boolean {
    return now - this.othersAt < ACTIVE_MS;
  }
}

/** The most events of a space that has a flood in one batch. */
const LARGEST = 500;
/** A space that has so many events in a full batch, twice in succession, has a flood. */
const FLOODED = LARGEST / 4;

/** Spaces that had an event so short a time ago are likely to have the next one soon. */
const OTHERS_MS = 1000;
/** A turn that others wait for is so much shorter. */
const BESIDE_OTHERS = 0.25;
/**
 * And after it floods rest for so many times as long as it took: a quarter of the relay's time is
 * theirs.
 */
const REST = 3;
/**
 * A space that has all the places that it gets would only have more wait for them: it rests for so
 * many times as long.
 */
const FILLED_REST = 20;

/** A space whose turn it is, and how many of its events to take. */
export interface FloodTurn {
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
export class Floods {
  private readonly sizes = new Map<string, number>();
  private suspects = new Set<string>();
  private othersAt = -Infinity;
  private restUntil = -Infinity;
  /** When the next turn of a space is, that rests for longer than all. */
  private readonly resting = new Map<string, number>();
  private isFilling: (spaceId: string) => boolean = () => false;
  private timer: NodeJS.Timeout | undefined;

  get ids(): string[] {
    return [...this.sizes.keys()];
  }

  /** What a batch of all other spaces had. @param isFull more may be waiting */
  saw(events: readonly { space_id: string }[], isFull: boolean): void {
    const counts = new Map<string, number>();
    if (isFull) for (const { space_id: id } of events) counts.set(id, (counts.get(id) ?? 0) + 1);
    const large = [...counts].flatMap(([id, count]) => (count >= FLOODED ? id : []));
    for (const id of large) if (this.suspects.has(id)) this.hold(id, LARGEST);
    this.suspects = new Set(large);
  }

  /** @param size of its next batch */
  hold(spaceId: string, size: number): void {
    this.sizes.set(spaceId, Math.max(1, size));
  }

  release(spaceId: string): void {
    this.sizes.delete(spaceId);
    this.resting.delete(spaceId);
  }

  /** @param isFilling whether deliveries of a space wait for places as it is */
  slow(isFilling: (spaceId: string) => boolean): void {
    this.isFilling = isFilling;
  }

  /** Spaces without a flood had events just now. */
  noteOthers(now = performance.now()): void {
    this.othersAt = now;
  }

  /**
   * Whether no space with a flood gets a turn now. Alone they need no rest. @param over is called
   * when it is over
   */
  rest(over: () => void, now = performance.now()): boolean {
    clearTimeout(this.timer);
    if (this.sizes.size === 0 || !this.isBesideOthers(now)) return false;
    const first = Math.min(...this.ids.map((id) => this.resting.get(id) ?? -Infinity));
    const left = Math.max(this.restUntil, first) - now;
    if (left <= 0) return false;
    this.timer = setTimeout(over, Math.ceil(left));
    return true;
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** While others have events as well, which wait for the end of the turn, it is a short one. */
  next(now = performance.now()): FloodTurn | undefined {
    const isBeside = this.isBesideOthers(now);
    const first = [...this.sizes].find(([id]) => !isBeside || (this.resting.get(id) ?? -Infinity) <= now);
    if (!first) return undefined;
    const [spaceId, size] = first;
    this.sizes.delete(spaceId);
    this.sizes.set(spaceId, size);
    // A short turn says nothing about how large a whole one can be.
    if (isBeside) return { spaceId, size: Math.ceil(size * BESIDE_OTHERS), nextSize: size };
    return { spaceId, size, nextSize: Math.min(LARGEST, Math.ceil(size * 1.25)) };
  }

  /** A turn of the space has ended, however. */
  ended(spaceId: string, tookMs: number, now = performance.now()): void {
    this.restUntil = now + REST * tookMs;
    if (this.isFilling(spaceId)) this.resting.set(spaceId, now + FILLED_REST * tookMs);
    else this.resting.delete(spaceId);
  }

  /** A turn was planned as it was taken. */
  served({ spaceId, size, nextSize }: FloodTurn, count: number): void {
    if (count < size) this.release(spaceId);
    else this.hold(spaceId, nextSize);
  }

  private isBesideOthers(now: number): boolean {
    return now - this.othersAt < OTHERS_MS;
  }
}

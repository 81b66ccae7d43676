/** The most events of a space that has a flood in one batch. */
const LARGEST = 500;
/** A space that has so many events in a full batch, twice in succession, has a flood. */
const FLOODED = LARGEST / 4;

/** Spaces that had an event so short a time ago are likely to have the next one soon. */
const OTHERS_MS = 1000;
/** A turn that others wait for is so much shorter. */
const BESIDE_OTHERS = 0.25;

/** A space whose turn it is, and how many of its events to take. */
export interface FloodTurn {
  spaceId: string;
  size: number;
  /** Of its next turn, when all of this one is planned. */
  nextSize: number;
}

/**
 * Spaces from which more comes than one batch can plan: they are left out of the batches of all others and get one of their own after each,
 * by turns. So an event of another space waits for one batch and not for the flood.
 */
export class Floods {
  private readonly sizes = new Map<string, number>();
  private suspects = new Set<string>();
  private othersAt = -Infinity;

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
  }

  /** Spaces without a flood had events just now. */
  noteOthers(): void {
    this.othersAt = performance.now();
  }

  /** While others have events as well, which wait for the end of the turn, it is a short one. */
  next(): FloodTurn | undefined {
    const [first] = this.sizes;
    if (!first) return undefined;
    const [spaceId, size] = first;
    this.sizes.delete(spaceId);
    this.sizes.set(spaceId, size);
    const besideOthers = performance.now() - this.othersAt < OTHERS_MS;
    // A short turn says nothing about how large a whole one can be.
    if (besideOthers) return { spaceId, size: Math.ceil(size * BESIDE_OTHERS), nextSize: size };
    return { spaceId, size, nextSize: Math.min(LARGEST, Math.ceil(size * 1.25)) };
  }

  /** A turn was planned as it was taken. */
  served({ spaceId, size, nextSize }: FloodTurn, count: number): void {
    if (count < size) this.release(spaceId);
    else this.hold(spaceId, nextSize);
  }
}

/** Whoever a place of a lane is taken for. */
interface PlaceOwner {
  targetId: string;
  spaceId: string;
}

/**
 * Who has what of a lane: attempts under way per target, places (until the result is written) per
 * space.
 */
export class LanePlaces {
  readonly ofTargets = new Map<string, number>();
  readonly ofSpaces = new Map<string, number>();
  private count = 0;

  /** Places taken. */
  get taken(): number {
    return this.count;
  }

  take({ targetId, spaceId }: PlaceOwner): void {
    this.count += 1;
    this.ofTargets.set(targetId, (this.ofTargets.get(targetId) ?? 0) + 1);
    this.ofSpaces.set(spaceId, (this.ofSpaces.get(spaceId) ?? 0) + 1);
  }

  /** The attempt is over; its result is not written yet. */
  freeTarget({ targetId }: PlaceOwner): void {
    countDown(this.ofTargets, targetId);
  }

  free({ spaceId }: PlaceOwner): void {
    this.count -= 1;
    countDown(this.ofSpaces, spaceId);
  }
}

function countDown(counts: Map<string, number>, id: string): void {
  const left = (counts.get(id) ?? 1) - 1;
  if (left > 0) counts.set(id, left);
  else counts.delete(id);
}

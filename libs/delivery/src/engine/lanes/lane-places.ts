import type { LaneClaim } from './lane-parts.js';

/** What a place is taken for. */
export interface PlaceOwner {
  targetId: string;
  spaceId: string;
}

/**
 * Counts attempts under way per target, and places per space. A place is taken until the result is
 * written.
 */
export class LanePlaces {
  readonly ofTargets = new Map<string, number>();
  readonly ofSpaces = new Map<string, number>();
  private count = 0;

  /** Number of places taken. */
  get taken(): number {
    return this.count;
  }

  take({ targetId, spaceId }: PlaceOwner): void {
    this.count += 1;
    this.ofTargets.set(targetId, (this.ofTargets.get(targetId) ?? 0) + 1);
    this.ofSpaces.set(spaceId, (this.ofSpaces.get(spaceId) ?? 0) + 1);
  }

  /** Records that an attempt is over, while its result is not yet written. */
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

/** Returns the spaces that got all the deliveries one claim gives a space beside others. */
export function spacesWithFullRation(
  claimed: readonly Pick<PlaceOwner, 'spaceId'>[],
  { perSpace, onlySpace }: Pick<LaneClaim, 'perSpace' | 'onlySpace'>,
): Set<string> {
  const counts = new Map<string, number>();
  for (const { spaceId } of claimed) counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1);
  const rationed = [...counts].filter(([id, count]) => count === perSpace && id !== onlySpace);
  return new Set(rationed.map(([id]) => id));
}

import type { LanePlaces, PlaceOwner } from './lane-places.js';

/** What limits the places of deliveries that are being planned. */
export interface PlannedLimits {
  /** Number of free places. */
  free: number;
  /** How many of them stay for spaces that have fewer places than are free. */
  kept: number;
  perTarget: number;
  /** Maximum number of places of one space. Defaults to all. */
  perSpace?: number;
  /** The only active space, which `perSpace` does not limit. */
  onlySpace?: string | undefined;
  /** Spaces that get no places. */
  rationed?: ReadonlySet<string>;
  /** Attempts in flight and places that must stay empty, by target. */
  inFlight: ReadonlyMap<string, number>;
}

/**
 * Places of a lane for the deliveries of one planning transaction, by the rules of a claim: no more
 * than a target has free, and no more of one space than a claim gives it.
 */
export class PlannedPlaces {
  private readonly ofTargets: Map<string, number>;
  private readonly ofSpaces = new Map<string, number>();
  private left: number;

  constructor(
    private readonly places: LanePlaces,
    private readonly limits: PlannedLimits,
  ) {
    this.ofTargets = new Map(limits.inFlight);
    this.left = limits.free;
  }

  /** Takes a place. Returns false if there is none for this target or space. */
  take(one: PlaceOwner): boolean {
    const { targetId, spaceId } = one;
    const { perTarget, perSpace = Infinity, onlySpace, rationed, kept } = this.limits;
    if (rationed?.has(spaceId)) return false;
    const [ofTarget, ofSpace] = [this.ofTargets.get(targetId) ?? 0, this.ofSpaces.get(spaceId) ?? 0];
    if (this.left <= 0 || ofTarget >= perTarget) return false;
    if (this.left <= kept && (this.places.ofSpaces.get(spaceId) ?? 0) >= this.left) return false;
    if (ofSpace >= perSpace && spaceId !== onlySpace) return false;
    this.left -= 1;
    this.ofTargets.set(targetId, ofTarget + 1);
    this.ofSpaces.set(spaceId, ofSpace + 1);
    this.places.take(one);
    return true;
  }

  /** Gives a place back, because the delivery is not leased. */
  free(one: PlaceOwner): void {
    this.places.freeTarget(one);
    this.places.free(one);
  }
}

import type { AttemptStarter } from './attempt-starter.js';
import type { LaneLimits } from './lane-parts.js';
import { LanePlaces } from './lane-places.js';
import { PlannedPlaces } from './planned-places.js';
import type { PlannedLimits } from './planned-places.js';
import { TargetShares } from './target-shares.js';
import { WalkPace } from './walk-pace.js';
import type { Result } from '../delivery.types.js';

/** With less free capacity than this, walks keep a greater distance (`WalkPace`). */
const ROOM_FRACTION = 0.375;
/** Deliveries of one space per claim, while another space is active. */
const PER_SPACE = 32;
/** With at most this fraction of the lane taken, quick targets get more places. */
const ROOMY = 0.25;
/** A lane with more than this fraction taken counts as crowded. Slow targets then lose places. */
const CROWDED = 0.5;

/** Adds the places that rates reserve to the attempts in flight. */
export type ReserveRates = (inFlight: ReadonlyMap<string, number>) => ReadonlyMap<string, number>;

/** The places of a lane, and who may take them. */
export class LaneRoom {
  readonly places = new LanePlaces();
  readonly pace = new WalkPace();
  /**
   * Spaces that got their full ration in the latest walk, so they probably have more deliveries.
   */
  rationed: ReadonlySet<string> = new Set();
  private readonly shares: TargetShares;

  constructor(
    private readonly limits: LaneLimits,
    private readonly starter: AttemptStarter,
  ) {
    this.shares = new TargetShares(limits.perTarget);
  }

  /** Number of free places. */
  get left(): number {
    return this.limits.capacity - this.places.taken;
  }

  /** Whether a good part of the lane is free. */
  get isAmple(): boolean {
    return this.left >= this.limits.capacity * ROOM_FRACTION;
  }

  /**
   * Whether a walk may start: immediately with much room and no large spaces, otherwise at its
   * pace.
   */
  get allowsWalk(): boolean {
    if (this.isAmple && this.rationed.size === 0) return true;
    return this.left > 0 && this.pace.msLeft() <= 0;
  }

  /**
   * Attempts in flight and places that slow targets must leave empty, by target, without the places
   * that quick targets have in addition.
   */
  get inFlight(): ReadonlyMap<string, number> {
    const { capacity, perTarget, perQuickTarget = perTarget } = this.limits;
    const isRoomy = this.places.taken <= capacity * ROOMY;
    return this.shares.withReserved(this.places.ofTargets, isRoomy ? perQuickTarget - perTarget : 0);
  }

  /** What one target and one space may get at a time. */
  get fairness(): Pick<PlannedLimits, 'perTarget' | 'perSpace' | 'onlySpace'> {
    const [onlySpace, other] = this.starter.activeSpaces;
    return {
      perTarget: this.limits.perTarget,
      ...(onlySpace !== undefined && { perSpace: PER_SPACE }),
      ...(other === undefined && { onlySpace }),
    };
  }

  /**
   * Returns whether the space has more of the lane than is left to others, or got its full ration.
   */
  isFilledBy(spaceId: string): boolean {
    return this.rationed.has(spaceId) || (this.places.ofSpaces.get(spaceId) ?? 0) > this.left;
  }

  /**
   * Returns places for deliveries that are being planned for these spaces. While there is little
   * room, only spaces that have fewer places than are free get any, as in claims by target. Spaces
   * that got their full ration get none, because claims find their deliveries in turn.
   */
  forPlanned(spaceIds: readonly string[], reserveRates: ReserveRates): PlannedPlaces | undefined {
    for (const id of spaceIds) this.starter.note(id);
    const { rationed, left: free } = this;
    if (free <= 0 || spaceIds.every((id) => rationed.has(id))) return undefined;
    const kept = Math.ceil(this.limits.capacity * ROOM_FRACTION) - 1;
    const inFlight = reserveRates(this.inFlight);
    return new PlannedPlaces(this.places, { ...this.fairness, free, kept, inFlight, rationed });
  }

  /** Adjusts the share of the target after an attempt. */
  recordAttempt({ delivery, attempt }: Result): void {
    const crowded = this.places.taken >= this.limits.capacity * CROWDED;
    if (attempt) this.shares.recordAttempt(delivery.targetId, attempt.durationMs, crowded);
  }
}

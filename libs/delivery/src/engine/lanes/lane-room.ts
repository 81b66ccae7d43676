import type { AttemptStarter } from './attempt-starter.js';
import type { LaneLimits } from './lane-parts.js';
import { LanePlaces } from './lane-places.js';
import type { PlaceOwner } from './lane-places.js';
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
/** A walk over all targets that finds fewer deliveries found little. */
const LITTLE = 16;
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
  private foundInRound = 0;
  private foundLittle = false;

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

  /** Whether at most a quarter of the lane is taken. */
  private get isRoomy(): boolean {
    return this.places.taken <= this.limits.capacity * ROOMY;
  }

  /**
   * Whether a walk may start: immediately with much room and no large spaces, otherwise at its
   * pace. If the latest one found little, only a lane that is hardly used has enough room.
   */
  get allowsWalk(): boolean {
    const hasRoom = this.foundLittle ? this.isRoomy : this.isAmple;
    if (hasRoom && this.rationed.size === 0) return true;
    return this.left > 0 && this.pace.msLeft() <= 0;
  }

  /**
   * Records the deliveries that a walk found.
   * @param isLast whether it reached the last target
   */
  recordWalk(found: number, isLast: boolean): void {
    this.foundInRound += found;
    this.foundLittle = isLast && this.foundInRound < LITTLE;
    if (isLast) this.foundInRound = 0;
  }

  /** Starts the pause after a walk that began at `askedAt`. */
  rest(askedAt: number): void {
    this.pace.walkEnded(askedAt, { hasRoom: this.isAmple, foundLittle: this.foundLittle });
  }

  /**
   * Returns whether deliveries may wait for a place of this target that are claimed by target,
   * because no walk may be due: it has no place left, and its space uses few places.
   */
  isWaitedFor({ targetId, spaceId }: PlaceOwner): boolean {
    const usesFew = (this.places.ofSpaces.get(spaceId) ?? 0) < this.left;
    const taken = this.places.ofTargets.get(targetId) ?? 0;
    return !this.isRoomy && usesFew && taken >= this.shares.placesOf(targetId);
  }

  /**
   * Attempts in flight and places that slow targets must leave empty, by target, without the places
   * that quick targets have in addition.
   */
  get inFlight(): ReadonlyMap<string, number> {
    const { perTarget, perQuickTarget = perTarget } = this.limits;
    return this.shares.withReserved(this.places.ofTargets, this.isRoomy ? perQuickTarget - perTarget : 0);
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

import { NIL } from '../claims/claim-deliveries.js';
import type { ClaimResult } from '../claims/claim-deliveries.js';

/** A walk over the targets of a lane. With many targets, it takes several claims. */
export class Walk {
  /** The next claim continues after this target. */
  afterTarget = NIL;
  /** Whether due deliveries may have been left out since the walk began. */
  isLimited = false;
  private found = 0;

  /** Whether the next claim begins a walk. */
  get isAtStart(): boolean {
    return this.afterTarget === NIL;
  }

  /**
   * Records a claim of the walk.
   * @returns whether to continue: after the last target visited, or from the start because there
   * may be more
   */
  record({ deliveries, lastTarget, isLimited }: ClaimResult): boolean {
    if (this.isAtStart) [this.found, this.isLimited] = [0, false];
    this.found += deliveries.length;
    this.isLimited ||= isLimited;
    this.afterTarget = lastTarget ?? NIL;
    return !this.isAtStart || (this.isLimited && this.found > 0);
  }

  /** Records a claim by target. @returns whether a walk may find more */
  recordByTarget({ deliveries, isLimited }: ClaimResult): boolean {
    this.isLimited ||= isLimited;
    return isLimited && deliveries.length > 0;
  }
}

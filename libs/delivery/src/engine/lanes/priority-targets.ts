import type { PlannedTargets } from './planned-targets.js';

/** What is not kept is found by the next walk over all targets. */
const MAX_TARGETS = 64;

/**
 * Targets that something was planned for just now. Those of spaces that leave more of the lane than
 * they have needn't wait until there is room for whoever fills it: they are few, and are claimed by
 * their names.
 */
export class PriorityTargets {
  private targets = new Map<string, string>();

  add(planned: PlannedTargets): void {
    for (const [targetId, spaceId] of planned)
      if (this.targets.size < MAX_TARGETS) this.targets.set(targetId, spaceId);
  }

  /**
   * Whether there is one that needn't wait. @param places what each space has @param free places of
   * the lane
   */
  hasClaimable(places: ReadonlyMap<string, number>, free: number): boolean {
    for (const spaceId of this.targets.values()) if ((places.get(spaceId) ?? 0) < free) return true;
    return false;
  }

  /** Those that needn't wait; the others are left to the walk. */
  takeClaimable(places: ReadonlyMap<string, number>, free: number): PlannedTargets {
    const taken = new Map<string, string>();
    for (const [targetId, spaceId] of this.targets)
      if ((places.get(spaceId) ?? 0) < free) taken.set(targetId, spaceId);
    this.targets = new Map();
    return taken;
  }
}

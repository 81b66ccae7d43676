import type { PlannedTargets } from './planned-targets.js';

/** Maximum number of targets. A walk finds the deliveries of others. */
const MAX_TARGETS = 64;

/**
 * Targets with new deliveries. Those of spaces that use little of the lane may be claimed by id
 * right away, without waiting for the space that fills it.
 */
export class PriorityTargets {
  private targets = new Map<string, string>();

  get isEmpty(): boolean {
    return this.targets.size === 0;
  }

  /** @returns whether there was room for all */
  add(planned: PlannedTargets): boolean {
    for (const [targetId, spaceId] of planned)
      if (this.targets.size < MAX_TARGETS) this.targets.set(targetId, spaceId);
    return [...planned.keys()].every((targetId) => this.targets.has(targetId));
  }

  /**
   * Returns whether a target may be claimed right away.
   * @param places places of each space
   * @param free free places of the lane
   */
  hasClaimable(places: ReadonlyMap<string, number>, free: number): boolean {
    return [...this.targets.values()].some((spaceId) => (places.get(spaceId) ?? 0) < free);
  }

  /** Returns whether all of them may be claimed right away. */
  areClaimable(places: ReadonlyMap<string, number>, free: number): boolean {
    return [...this.targets.values()].every((spaceId) => (places.get(spaceId) ?? 0) < free);
  }

  /**
   * Removes all targets and returns those that may be claimed right away. The others are left to
   * the walk.
   */
  takeClaimable(places: ReadonlyMap<string, number>, free: number): PlannedTargets {
    const taken = new Map<string, string>();
    for (const [targetId, spaceId] of this.targets)
      if ((places.get(spaceId) ?? 0) < free) taken.set(targetId, spaceId);
    this.targets = new Map();
    return taken;
  }
}

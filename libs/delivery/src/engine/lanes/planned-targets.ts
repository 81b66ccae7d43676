import type { NewDelivery } from '../delivery.types.js';
import { LANES } from '../claims/claim-deliveries.js';
import type { Lane } from '../claims/claim-deliveries.js';

/** Target → its space. */
export type PlannedTargets = ReadonlyMap<string, string>;

/** Lanes and targets with newly planned deliveries. */
export type PlannedWork = ReadonlyMap<Lane, PlannedTargets>;

/**
 * Maximum number of targets of one space that a transaction names. Larger fan-outs are left to the
 * walk over all targets.
 */
const NAMED_OF_SPACE = 16;
/** Maximum number of targets in one message. */
const NAMED = 64;

/** Returns the subjects that signal the commit of these deliveries. */
export function subjectsOf(
  deliveries: readonly Pick<NewDelivery, 'spaceId' | 'targetId' | 'counts'>[],
): Set<string> {
  const lanes = new Set<string>();
  const spaces = new Map<string, Set<string>>();
  for (const { spaceId, targetId, counts } of deliveries) {
    const lane = counts === false ? LANES.test : LANES.first;
    lanes.add(`${lane}`);
    const space = spaces.get(spaceId) ?? new Set();
    spaces.set(spaceId, space.add(`${lane}/${spaceId}/${targetId}`));
  }
  const named = [...spaces.values()].filter(({ size }) => size <= NAMED_OF_SPACE);
  return new Set([...lanes, ...named.flatMap((targets) => [...targets])]);
}

/** Returns as many subjects as fit a message. Lanes come first. */
export function limitSubjects(subjects: readonly string[]): string[] {
  return [...subjects].sort((a, b) => a.length - b.length).slice(0, NAMED + Object.keys(LANES).length);
}

/** Parses the subjects from {@link subjectsOf}. Returns undefined if there are none. */
export function parseSubjects(subjects: readonly string[]): PlannedWork | undefined {
  if (subjects.length === 0) return undefined;
  const work = new Map<Lane, Map<string, string>>();
  for (const subject of subjects) {
    const [number, spaceId, targetId] = subject.split('/');
    const lane = Number(number) as Lane;
    const targets = work.get(lane) ?? new Map<string, string>();
    work.set(lane, targets);
    if (spaceId !== undefined && targetId !== undefined) targets.set(targetId, spaceId);
  }
  return work;
}

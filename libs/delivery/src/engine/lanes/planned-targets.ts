import type { NewDelivery } from '../delivery.types.js';
import { LANES } from '../claims/claim-deliveries.js';
import type { Lane } from '../claims/claim-deliveries.js';

/** Target → its space. */
export type PlannedTargets = ReadonlyMap<string, string>;

/** In which lanes something was planned, and for which targets; undefined where nobody knows. */
export type PlannedWork = ReadonlyMap<Lane, PlannedTargets>;

/**
 * Targets of one space in one transaction at most, to be named: a fan-out to more of them is left
 * to the walk over all targets.
 */
const NAMED_OF_SPACE = 16;
/** In one message at most. */
const NAMED = 64;

/** What the commit of these deliveries is signalled with. */
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

/** No more than a message may hold; the lanes among them. */
export function limitSubjects(subjects: readonly string[]): string[] {
  return [...subjects].sort((a, b) => a.length - b.length).slice(0, NAMED + Object.keys(LANES).length);
}

/** What {@link subjectsOf} said; undefined when nothing was said. */
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

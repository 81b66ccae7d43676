import type { NewDelivery } from '../delivery.types.js';
import { LANES } from '../claims/claim-deliveries.js';
import type { Lane } from '../claims/claim-deliveries.js';

/** Target → its space. */
export type PlannedTargets = ReadonlyMap<string, string>;

/** New deliveries of a lane. */
export interface LaneWork {
  targets: PlannedTargets;
  /** Whether no other target has new deliveries. */
  areAll: boolean;
}

/** New deliveries by lane. */
export type PlannedWork = ReadonlyMap<Lane, LaneWork>;

/**
 * Maximum number of targets of one space that a transaction names. Larger fan-outs are left to the
 * walk over all targets.
 */
const NAMED_OF_SPACE = 16;
/** Maximum number of targets in one message. */
const NAMED = 64;
/** Subject of a lane in which other targets than the named ones have new deliveries. */
const others = (lane: string): string => `${lane}/others`;

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
  const unnamed = named.length < spaces.size ? [...lanes].map(others) : [];
  return new Set([...lanes, ...unnamed, ...named.flatMap((targets) => [...targets])]);
}

/** Returns as many subjects as fit a message. Lanes are always included. */
export function limitSubjects(subjects: readonly string[]): string[] {
  const targets = subjects.filter((subject) => subject.split('/').length === 3);
  if (targets.length <= NAMED) return [...subjects];
  const lanes = new Set(subjects.map((subject) => subject.split('/')[0]!));
  return [...lanes, ...[...lanes].map(others), ...targets.slice(0, NAMED)];
}

/** Parses the subjects from {@link subjectsOf}. Returns undefined if there are none. */
export function parseSubjects(subjects: readonly string[]): PlannedWork | undefined {
  if (subjects.length === 0) return undefined;
  const lanes = new Map<Lane, Map<string, string>>();
  for (const subject of subjects) {
    const [number, spaceId, targetId] = subject.split('/');
    const lane = Number(number) as Lane;
    const targets = lanes.get(lane) ?? new Map<string, string>();
    lanes.set(lane, targets);
    if (spaceId !== undefined && targetId !== undefined) targets.set(targetId, spaceId);
  }
  const areAll = (lane: Lane, targets: PlannedTargets): boolean =>
    targets.size > 0 && !subjects.includes(others(`${lane}`));
  return new Map([...lanes].map(([lane, targets]) => [lane, { targets, areAll: areAll(lane, targets) }]));
}

import type { Queryable } from '@tieline/platform/database';
import type { Lane } from '../claims/claim-deliveries.js';
import type { PlannedWork } from '../lanes/planned-targets.js';
import { RELEASE_NEXT } from './ordered.statements.js';

/** A line in which the first delivery has ended. */
export interface Line {
  targetId: string;
  key: string;
}

/** Returns the line as the subject of a signal. */
export const lineSubject = ({ targetId, key }: Line): string => `${targetId}/${key}`;

/** Parses a subject from {@link lineSubject}. */
export function parseLine(subject: string): Line {
  const [targetId = '', key = ''] = subject.split('/');
  return { targetId, key };
}

/** Makes the next delivery of each line due. @returns the deliveries that waited */
export async function releaseNext(db: Queryable, lines: readonly Line[]): Promise<PlannedWork> {
  const work = new Map<Lane, { targets: Map<string, string>; areAll: true }>();
  if (lines.length === 0) return work;
  const columns = [lines.map(({ targetId }) => targetId), lines.map(({ key }) => key)];
  for (const { lane: number, targetId, spaceId } of await db.query(RELEASE_NEXT, columns)) {
    const lane = number as Lane;
    const { targets } = work.get(lane) ?? { targets: new Map<string, string>() };
    work.set(lane, { targets: targets.set(targetId, spaceId), areAll: true });
  }
  return work;
}

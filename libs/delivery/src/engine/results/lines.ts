/** A line in which the first delivery has ended. */
export interface Line {
  spaceId: string;
  targetId: string;
  key: string;
}

/** Returns the line as the subject of a signal. */
export const lineSubject = ({ spaceId, targetId, key }: Line): string => `${spaceId}/${targetId}/${key}`;

/** Parses a subject from {@link lineSubject}. */
export function parseLine(subject: string): Line {
  const [spaceId = '', targetId = '', key = ''] = subject.split('/');
  return { spaceId, targetId, key };
}

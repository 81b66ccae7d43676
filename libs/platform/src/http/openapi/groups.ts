import type { OpenAPIObject } from '@nestjs/swagger';

/** Kinds of callers in reading order; every tag begins with one of these words. */
const CALLERS = ['bot', 'person', 'admin', 'operator', 'public'];

/**
 * Sorts the document's tags by caller, each in the order of its routes, so that the page shows them
 * grouped.
 */
export function groupByCaller(document: OpenAPIObject): void {
  const used = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
  );
  const names = [...new Set(used)].sort((one, other) => rank(one) - rank(other));
  document.tags = names.map((name) => ({ name }));
}

function rank(tag: string): number {
  const place = CALLERS.indexOf(callerOf(tag));
  return place < 0 ? CALLERS.length : place;
}

/** The word before the colon. */
const callerOf = (tag: string): string => tag.split(':', 1)[0] as string;

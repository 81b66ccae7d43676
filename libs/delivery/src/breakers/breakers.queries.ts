import type { Queryable, RowOf } from '@tieline/platform/database';
import type { BreakerView } from './breaker.view.js';
import { FIND_BREAKERS, LIST_OPEN_BREAKERS } from './breakers.statements.js';

/** Returns the current breakers of several targets, as a function that works for every id. */
export async function breakersOf(q: Queryable, ids: readonly string[]): Promise<(id: string) => BreakerView> {
  const rows = ids.length === 0 ? [] : await q.query(FIND_BREAKERS, [ids]);
  const found = new Map(rows.map((row) => [row.targetId, breakerView(row)]));
  return (id) => found.get(id) ?? { state: 'closed', consecutive_failures: 0 };
}

/** Returns the current breaker of one target. */
export async function breakerOf(q: Queryable, id: string): Promise<BreakerView> {
  return (await breakersOf(q, [id]))(id);
}

/** Returns at most `most` breakers of a space that are not closed, worst first, by target. */
export async function openBreakersOf(
  q: Queryable,
  spaceId: string,
  most: number,
): Promise<Map<string, BreakerView>> {
  const rows = await q.query(LIST_OPEN_BREAKERS, [spaceId, most]);
  return new Map(rows.map((row) => [row.targetId, breakerView(row)]));
}

/**
 * Returns those of `owners` that have an open breaker, in the order of {@link openBreakersOf},
 * worst first.
 */
export function worstPaused<T extends { id: string }>(
  owners: readonly T[],
  openBreakers: ReadonlyMap<string, BreakerView>,
): { of: T; consecutiveFailures: number; openUntil: string | undefined }[] {
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  return [...openBreakers].flatMap(([id, { consecutive_failures: consecutiveFailures, open_until }]) => {
    const owner = byId.get(id);
    return owner ? [{ of: owner, consecutiveFailures, openUntil: open_until }] : [];
  });
}

function breakerView({ state, openUntil, failures }: RowOf<typeof FIND_BREAKERS>): BreakerView {
  return {
    state,
    ...(state === 'open' && openUntil !== null && { open_until: openUntil.toISOString() }),
    consecutive_failures: failures,
  };
}

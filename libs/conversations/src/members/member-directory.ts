import type { Queryable } from '@tieline/platform/database';
import { findActiveUsers } from '@tieline/spaces';
import type { MemberType } from '../events/chat-event.js';

/** Answers which of these ids are active members-to-be of one kind in the space. */
export type MemberLookup = (q: Queryable, spaceId: string, ids: string[]) => Promise<string[]>;

// People come from the layer below; the bots lib, which sits above, registers its own lookup when it is loaded.
const lookups = new Map<MemberType, MemberLookup>([['user', findActiveUsers]]);

/**
 * Tells this lib how to find another kind of member. Called at module level, once per kind.
 * @throws Error when the kind is taken
 */
export function registerMemberLookup(type: MemberType, lookup: MemberLookup): void {
  if (lookups.has(type)) throw new Error(`a lookup for members of type ${type} is registered already`);
  lookups.set(type, lookup);
}

/**
 * Finds active people and bots of the space by their ids: who can be mentioned, added and written to.
 * @returns the kind of each id that was found
 */
export async function findMembersOfSpace(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, MemberType>> {
  const found = new Map<string, MemberType>();
  let missing = [...new Set(ids)];
  for (const [type, lookup] of lookups) {
    if (missing.length === 0) break;
    for (const id of await lookup(q, spaceId, missing)) found.set(id, type);
    missing = missing.filter((id) => !found.has(id));
  }
  return found;
}

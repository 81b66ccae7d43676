import { userNotFound } from '../conversations.errors.js';
import type { MemberType } from '../actors.js';

/**
 * Returns the kind of a member that was looked up in the member directory.
 *
 * @param field the request field that contains the id
 * @throws 400 `user not found`
 */
export function typeOf(found: ReadonlyMap<string, MemberType>, id: string, field: string): MemberType {
  const type = found.get(id);
  if (type === undefined) throw userNotFound(field);
  return type;
}

import { userNotFound } from '../conversations.errors.js';
import type { MemberType } from '../events/chat-event.js';

/** The kind of one of those that were found in the member directory. @throws 400 `user not found` */
export function typeOf(found: ReadonlyMap<string, MemberType>, id: string): MemberType {
  const type = found.get(id);
  if (type === undefined) throw userNotFound();
  return type;
}

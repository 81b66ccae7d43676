import { roleMay } from '@tieline/spaces';
import type { Role } from '@tieline/spaces';
import type { Conversation } from '../conversation.queries.js';

/**
 * A person or bot who wants to change a channel (docs/client-api.md#roles-and-rights). A bot has
 * the role of a member.
 */
export interface ChannelActor {
  id: string;
  role: Role;
  isMember: boolean;
}

/**
 * Returns whether members can be added to and removed from a conversation. A direct chat always has
 * the same two; a thread shares the members of its channel.
 */
export function hasOwnMembers({
  scope,
  rootMessageId,
}: Pick<Conversation, 'scope' | 'rootMessageId'>): boolean {
  return scope !== 'dm' && rootMessageId === null;
}

/** Every member may add others, except guests. */
export function mayAddMembers({ role, isMember }: ChannelActor): boolean {
  return isMember && role !== 'guest';
}

/**
 * Anyone may remove themselves. Every member except guests may remove bots. People are removed by
 * the channel's creator, and by owners and admins who are members.
 */
export function mayRemoveMember(
  actor: ChannelActor,
  channel: Pick<Conversation, 'createdBy'>,
  member: { id: string; type: 'user' | 'bot' },
): boolean {
  if (member.id === actor.id) return true;
  if (!mayAddMembers(actor)) return false;
  return member.type === 'bot' || channel.createdBy === actor.id || roleMay(actor.role, 'administer');
}

/** Every member may set topic and purpose, except guests. */
export const mayDescribe = mayAddMembers;

/**
 * A channel is renamed, archived and unarchived by its creator, or by an owner or admin. All must
 * be members, except that owners and admins may do so in any public channel.
 */
export function mayManage(actor: ChannelActor, channel: Pick<Conversation, 'createdBy' | 'scope'>): boolean {
  if (roleMay(actor.role, 'administer')) return actor.isMember || channel.scope === 'public';
  return actor.isMember && channel.createdBy === actor.id;
}

import { roleMay } from '@tieline/spaces';
import type { Role } from '@tieline/spaces';
import type { Conversation } from '../conversation.queries.js';

/** A person who wants to change a channel. */
export interface ChannelActor {
  userId: string;
  role: Role;
  isMember: boolean;
}

/**
 * Whether people come into it and go: channels and voice chats; a direct chat has its two, a thread
 * its channel's.
 */
export function hasOwnMembers({
  scope,
  rootMessageId,
}: Pick<Conversation, 'scope' | 'rootMessageId'>): boolean {
  return scope !== 'dm' && rootMessageId === null;
}

/** Every member brings in others; guests do not. */
export function mayAddMembers({ role, isMember }: ChannelActor): boolean {
  return isMember && role !== 'guest';
}

/**
 * Everybody takes themselves out; every member but guests takes out bots; people are taken out by
 * whoever made the channel and, where they are members, by owners and admins.
 */
export function mayRemoveMember(
  actor: ChannelActor,
  channel: Pick<Conversation, 'createdBy'>,
  member: { id: string; type: 'user' | 'bot' },
): boolean {
  if (member.id === actor.userId) return true;
  if (!mayAddMembers(actor)) return false;
  return member.type === 'bot' || channel.createdBy === actor.userId || roleMay(actor.role, 'administer');
}

/**
 * Whoever made it closes a channel, or an owner or admin: both as members, the latter any public
 * channel too.
 */
export function mayArchive(actor: ChannelActor, channel: Pick<Conversation, 'createdBy' | 'scope'>): boolean {
  if (roleMay(actor.role, 'administer')) return actor.isMember || channel.scope === 'public';
  return actor.isMember && channel.createdBy === actor.userId;
}

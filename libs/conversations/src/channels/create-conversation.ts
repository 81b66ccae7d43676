import { Injectable } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import { withDefaults } from '@tieline/platform/resource';
import { requireCapacity, roleMay, SpaceLimitSettings } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { appendChatEvent } from '../events/append-event.js';
import { actorOf } from '../access/require-channel.js';
import type { Member } from '../actors.js';
import { CONVERSATION } from '../conversation.js';
import type { ConversationSettings } from '../conversation.js';
import { StoredConversation } from '../conversation.entity.js';
import { findConversation } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import { notAllowed } from '../conversations.errors.js';
import { conversationData } from '../events/event-conversation.js';
import { insertMembers } from '../members/insert-members.js';
import { MemberDirectory } from '../members/member-directory.js';
import { typeOf } from '../members/member-type.js';
import { recordMemberships } from '../members/record-memberships.js';
import type { ChannelCaller } from './channel-caller.js';
import { channelCapacity } from './channels.statements.js';

/**
 * A channel or voice chat to create. The caller has already looked up the members in the space
 * (`MemberDirectory`).
 */
export interface NewConversation extends Omit<ConversationSettings, 'memberIds'> {
  spaceId: string;
  /** The person or bot who creates it, also its first member. */
  creator: Member;
  /** Further members. */
  members?: readonly Member[];
}

/** Creates channels and voice chats. */
@Injectable()
export class CreateConversation {
  constructor(
    private readonly directory: MemberDirectory,
    private readonly settings: SpaceLimitSettings,
  ) {}

  /**
   * Creates a channel or voice chat in the caller's transaction, whose place is `channels`.
   * Creations in one space are serialized.
   * @throws 403 for guests; 400 for a member outside the space; 409 `limit_reached` by the plan's
   * limit
   */
  async in(
    tx: Tx,
    caller: ChannelCaller,
    { memberIds = [], ...settings }: ConversationSettings,
  ): Promise<Conversation> {
    const { spaceId } = caller;
    const creator = actorOf(caller);
    if (caller.kind === 'user' && !roleMay(caller.role, 'create_channel')) throw notAllowed();
    const found = await this.directory.find(tx, spaceId, memberIds);
    const members = [...new Set(memberIds)].map((id) => ({ id, type: typeOf(found, id, 'member_ids') }));
    await requireCapacity(tx, spaceId, channelCapacity(this.settings));
    const conversation = await createConversation(tx, { ...settings, spaceId, creator, members });
    const others = members.map(({ id }) => id).filter((id) => id !== creator.id);
    const change = { spaceId, conversation, memberIds: others, isMember: true };
    await recordMemberships(tx, caller.origin, change);
    return conversation;
  }
}

/** Creates a channel or voice chat with its members and appends CONVERSATION_CREATED. */
export async function createConversation(
  tx: Tx,
  { spaceId, creator, members = [], ...given }: NewConversation,
): Promise<Conversation> {
  const id = uuidv7();
  const { isPublic, memberIds: _, ...settings } = withDefaults(CONVERSATION, given);
  const scope = isPublic ? 'public' : 'private';
  await tx.manager.insert(StoredConversation, { ...settings, spaceId, id, scope, createdBy: creator.id });
  const joined = await insertMembers(tx, {
    spaceId,
    conversationId: id,
    members: [creator, ...members.filter((member) => member.id !== creator.id)],
  });
  const conversation = await findConversation(tx, spaceId, id);
  if (!conversation) throw new Error('conversation not found in the transaction that created it');
  await appendChatEvent(
    tx,
    conversation,
    { actor: creator, at: conversation.createdAt },
    { event_type: 'CONVERSATION_CREATED', data: conversationData(conversation) },
  );
  await joined.announce({ conversation, actor: creator });
  return conversation;
}

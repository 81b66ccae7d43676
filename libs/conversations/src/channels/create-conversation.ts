import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { withDefaults } from '@tieline/platform/resource';
import { requireCapacity, roleMay, SpaceLimitSettings } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { appendChatEvent } from '../events/append-event.js';
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
import { COUNT_OPEN_CHANNELS } from './channels.statements.js';

/**
 * A channel or voice chat to create. The caller has already looked up the members in the space
 * (`MemberDirectory`).
 */
export interface NewConversation extends Omit<ConversationSettings, 'memberIds'> {
  spaceId: string;
  /** The person who creates it, also its first member. */
  createdBy: string;
  /** Further members. */
  members?: readonly Member[];
}

/** Creates channels and voice chats of people. */
@Injectable()
export class CreateConversation {
  constructor(
    private readonly db: Db,
    private readonly directory: MemberDirectory,
    private readonly settings: SpaceLimitSettings,
  ) {}

  /**
   * Creates a channel or voice chat. Creations in one space are serialized.
   * @throws 403 for guests; 400 for a member outside the space; 409 `limit_reached` by the plan's
   * limit
   */
  async run(
    { spaceId, userId, role, ip }: UserPrincipal & { ip: string },
    { memberIds = [], ...settings }: ConversationSettings,
  ): Promise<Conversation> {
    if (!roleMay(role, 'create_channel')) throw notAllowed();
    const capacity = {
      name: 'channels',
      limits: this.settings.limits.channels,
      count: COUNT_OPEN_CHANNELS,
    };
    return runInTx(
      this.db,
      async (tx) => {
        const found = await this.directory.find(tx, spaceId, memberIds);
        const members = [...new Set(memberIds)].map((id) => ({ id, type: typeOf(found, id, 'member_ids') }));
        await requireCapacity(tx, spaceId, capacity);
        const created = { ...settings, spaceId, createdBy: userId, members };
        const conversation = await createConversation(tx, created);
        const others = members.map(({ id }) => id).filter((id) => id !== userId);
        const change = { spaceId, conversation, memberIds: others, isMember: true };
        await recordMemberships(tx, { userId, ip }, change);
        return conversation;
      },
      { spaceId, place: 'channels' },
    );
  }
}

/** Creates a channel or voice chat with its members and appends CONVERSATION_CREATED. */
export async function createConversation(
  tx: Tx,
  { spaceId, createdBy, members = [], ...given }: NewConversation,
): Promise<Conversation> {
  const id = uuidv7();
  const { isPublic, memberIds: _, ...settings } = withDefaults(CONVERSATION, given);
  const scope = isPublic ? 'public' : 'private';
  await tx.manager.insert(StoredConversation, { ...settings, spaceId, id, scope, createdBy });
  const creator: Member = { id: createdBy, type: 'user' };
  const joined = await insertMembers(tx, {
    spaceId,
    conversationId: id,
    members: [creator, ...members.filter((member) => member.id !== createdBy)],
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

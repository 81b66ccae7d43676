import { Injectable } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import { changesOf } from '@tieline/platform/resource';
import { requireCapacity, SpaceLimitSettings } from '@tieline/spaces';
import { mayDescribe, mayManage } from '../access/membership.states.js';
import { actorOf, requireChannel } from '../access/require-channel.js';
import type { ConversationChange } from '../conversation.js';
import { StoredConversation } from '../conversation.entity.js';
import { lockConversation } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import { conversationArchived, conversationNotFound, notAllowed } from '../conversations.errors.js';
import { appendChatEvent } from '../events/append-event.js';
import { conversationData } from '../events/event-conversation.js';
import { CONVERSATION_CHANGES } from '../events/types/conversation-updated.js';
import type { ConversationChangeName } from '../events/types/conversation-updated.js';
import type { ChannelCaller } from './channel-caller.js';
import { channelCapacity, READ_CLOCK } from './channels.statements.js';

/**
 * Changes name, topic and purpose of a channel or voice chat, and appends CONVERSATION_UPDATED.
 * Values that it already has change nothing and emit no event.
 *
 * @returns the conversation after the change
 * @throws 400 direct chat or thread; 403 archived, see mayDescribe and mayManage; 404
 */
export async function updateChannel(
  tx: Tx,
  caller: ChannelCaller,
  conversationId: string,
  change: ConversationChange,
): Promise<Conversation> {
  const { conversation, actor } = await requireChannel(tx, caller, conversationId);
  const { name, ...about } = change;
  const describes = name === undefined || Object.keys(about).length > 0;
  if (describes && !mayDescribe(actor)) throw notAllowed();
  if (name !== undefined && !mayManage(actor, conversation)) throw notAllowed();
  const locked = await lockConversation(tx, caller.spaceId, conversationId, 'change');
  if (!locked) throw conversationNotFound();
  if (locked.archivedAt !== null) throw conversationArchived();
  return writeChange(tx, caller, locked, changesOf<ConversationChange>(locked, change));
}

/** Opens archived channels again. */
@Injectable()
export class UnarchiveChannel {
  constructor(private readonly settings: SpaceLimitSettings) {}

  /**
   * Opens an archived channel or voice chat again and appends CONVERSATION_UPDATED. Succeeds if it
   * is not archived.
   * @throws 400 direct chat or thread; 403 see mayManage; 404; 409 `limit_reached` by the plan's
   * limit of unarchived channels
   */
  async in(tx: Tx, caller: ChannelCaller, conversationId: string): Promise<void> {
    const { conversation, actor } = await requireChannel(tx, caller, conversationId);
    if (!mayManage(actor, conversation)) throw notAllowed();
    if (conversation.archivedAt === null) return;
    await requireCapacity(tx, caller.spaceId, channelCapacity(this.settings));
    const locked = await lockConversation(tx, caller.spaceId, conversationId, 'change');
    if (locked && locked.archivedAt !== null) await writeChange(tx, caller, locked, { archivedAt: null });
  }
}

/** Writes changed columns. The caller holds the conversation's `change` lock. */
async function writeChange(
  tx: Tx,
  caller: ChannelCaller,
  conversation: Conversation,
  changed: Partial<ConversationChange & { archivedAt: null }>,
): Promise<Conversation> {
  const changes = CONVERSATION_CHANGES.filter((name) => COLUMNS[name] in changed);
  if (changes.length === 0) return conversation;
  await tx.manager.update(
    StoredConversation,
    { spaceId: conversation.spaceId, id: conversation.id },
    changed,
  );
  const [clock] = await tx.query(READ_CLOCK, []);
  const after: Conversation = { ...conversation, ...changed };
  await appendChatEvent(
    tx,
    after,
    { actor: actorOf(caller), at: clock?.now as string },
    {
      event_type: 'CONVERSATION_UPDATED',
      data: { ...conversationData(after), topic: after.topic, purpose: after.purpose, changes },
    },
  );
  return after;
}

const COLUMNS: Readonly<Record<ConversationChangeName, keyof StoredConversation>> = {
  name: 'name',
  topic: 'topic',
  purpose: 'purpose',
  unarchived: 'archivedAt',
};

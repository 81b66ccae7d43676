import { appendDirectEvent } from '@tieline/bots';
import { appendChatEvent, lockConversationOfMessage } from '@tieline/conversations';
import type { Actor, Conversation } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { Approval } from '../approval.js';
import { approvalView } from '../approval.view.js';

/** Where an approval is, and who asked for it or ended it. */
export interface ApprovalOccurrence {
  /** Undefined if the card's message no longer exists. */
  place: Conversation | undefined;
  actor: Actor;
  /** RFC 3339, UTC, nine fractional digits. */
  at: string;
}

/** Takes the lock of the conversation that an approval's card is in. */
export async function lockOccurrence(tx: Tx, approval: Approval, actor: Actor): Promise<ApprovalOccurrence> {
  const place = await lockConversationOfMessage(tx, approval.spaceId, approval.messageId);
  return { place, actor, at: approval.updatedAt.toISOString().replace('Z', '000000Z') };
}

/**
 * Appends APPROVAL_REQUESTED or APPROVAL_DECIDED for outgoing subscriptions. They carry ids only.
 * Without the card's message there is no channel to filter by, and no event.
 */
export async function appendApprovalEvent(
  tx: Tx,
  type: 'APPROVAL_REQUESTED' | 'APPROVAL_DECIDED',
  approval: Approval,
  { place, actor, at }: ApprovalOccurrence,
): Promise<void> {
  if (!place) return;
  const data = {
    approval_id: approval.id,
    conversation_id: approval.conversationId,
    message_id: approval.messageId,
    bot_id: approval.botId,
  };
  await appendChatEvent(tx, place, { actor, at }, { event_type: type, data });
}

/** Appends the direct event `approval.decided` for the bot: docs/approvals.md#the-result. */
export async function appendDecided(
  tx: Tx,
  approval: Approval,
  { place, actor, at }: ApprovalOccurrence,
): Promise<void> {
  await appendDirectEvent(tx, {
    spaceId: approval.spaceId,
    botId: approval.botId,
    eventId: uuidv7(),
    eventType: 'approval.decided',
    payload: { event_type: 'approval.decided', approval: approvalView(approval) },
    envelope: {
      conversationId: place?.id ?? approval.conversationId,
      threadId: place?.rootMessageId ?? '',
      actorUserId: actor.id,
      occurredAt: at,
    },
  });
}

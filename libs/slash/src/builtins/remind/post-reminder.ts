import { Injectable } from '@nestjs/common';
import { chatAccess, CreateMessage, openDirectConversation } from '@tieline/conversations';
import type { MessageNotice, MessageRefusal } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { findActiveUsers } from '@tieline/spaces';
import { reminderText, undeliveredText } from './reminder.view.js';
import type { Reminder } from './reminders.queries.js';

const REASONS: Readonly<Record<MessageRefusal, string>> = {
  unknown_conversation: 'the conversation no longer exists',
  not_member: 'you are no longer a member of the conversation',
  archived: 'the conversation is archived',
  unknown_parent: 'the thread no longer exists',
};

/** The outcome of a reminder. `dropped`: the creator is no longer in the space. */
export type PostedReminder = 'posted' | 'undelivered' | 'dropped';

/** Posts reminders. */
@Injectable()
export class PostReminder {
  constructor(private readonly createMessage: CreateMessage) {}

  /**
   * Posts a reminder in the caller's transaction, which also deletes it. If that is not possible,
   * sends its creator a direct message.
   */
  async in(tx: Tx, reminder: Reminder): Promise<PostedReminder> {
    const { spaceId, userId, recipientId } = reminder;
    const people = recipientId === null ? [userId] : [userId, recipientId];
    const active = await findActiveUsers(tx, spaceId, people);
    if (!active.includes(userId)) return 'dropped';
    if (recipientId === null) return this.postHere(tx, reminder);
    if (!active.includes(recipientId))
      return this.notifyCreator(tx, reminder, 'that person is no longer in this space');
    await this.postDirectly(tx, reminder, recipientId, reminderText(reminder, new Date()));
    return 'posted';
  }

  private async postHere(tx: Tx, reminder: Reminder): Promise<PostedReminder> {
    const { spaceId, userId, conversationId, threadId } = reminder;
    const access = await chatAccess.sending(tx, { spaceId, conversationId, author: { id: userId } });
    if (access.refused !== undefined) return this.notifyCreator(tx, reminder, REASONS[access.refused]);
    const created = await this.createMessage.in(tx, {
      spaceId,
      conversationId,
      author: { id: userId, type: 'system' },
      text: reminderText(reminder, new Date()),
      access: 'granted',
      ...(threadId !== null && { parentMessageId: threadId }),
    });
    return 'refused' in created ? this.notifyCreator(tx, reminder, REASONS[created.refused]) : 'posted';
  }

  private async notifyCreator(tx: Tx, reminder: Reminder, reason: string): Promise<PostedReminder> {
    await this.postDirectly(tx, reminder, reminder.userId, undeliveredText(reminder, reason));
    return 'undelivered';
  }

  private async postDirectly(
    tx: Tx,
    { spaceId, userId }: Reminder,
    recipientId: string,
    text: string,
  ): Promise<void> {
    const conversationId = await openDirectConversation(tx, {
      spaceId,
      a: { id: userId, type: 'user' },
      b: { id: recipientId, type: 'user' },
    });
    const created = await this.createMessage.in(tx, {
      spaceId,
      conversationId,
      author: { id: userId, type: 'system' },
      text,
      access: 'granted',
      notify: pushTo(recipientId),
    });
    if ('refused' in created) throw new Error(`a reminder was refused in a direct chat: ${created.refused}`);
  }
}

/** Requests a push notification. During do-not-disturb the message only appears in the app. */
function pushTo(recipientId: string): MessageNotice {
  return { severity: 'warning', default_push: true, mentions: [recipientId], channel: false, here: false };
}

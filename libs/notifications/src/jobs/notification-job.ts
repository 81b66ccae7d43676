import type { ChatEvent, MessageNotice } from '@tieline/conversations';
import type { StoredNotification } from '../notification.view.js';
import { previewOf } from './preview.js';

/** Identifies a notification job. */
export interface JobId {
  spaceId: string;
  eventId: string;
}

/** A message that people have not been notified of yet. */
export interface NotificationJob extends JobId {
  messageId: string;
  conversationId: string;
  channelId: string;
  notice: JobNotice;
  occurredAt: Date;
}

/** A message that the current transaction has claimed. */
export interface ClaimedJob extends NotificationJob {
  /** The place of its row, which stays the same while the row is locked. */
  ctid: string;
}

/** A processed message and its notifications. */
export interface NotifiedMessage {
  job: NotificationJob;
  notifications: StoredNotification[];
}

/** The notice, and the text of its push notification. */
export interface JobNotice extends MessageNotice {
  title: string;
  body: string;
  /** Set after an edit: replaces earlier notifications of the same message. */
  again?: true;
}

/**
 * Returns the notification job for a new message, or for an edited one that became more urgent.
 * Returns undefined if the event notifies no one.
 */
export function jobOf(event: ChatEvent): NotificationJob | undefined {
  const isEdit = event.event_type === 'MESSAGE_UPDATED';
  if ((!isEdit && event.event_type !== 'MESSAGE_CREATED') || event.notify === undefined) return undefined;
  const { message, notify } = event;
  return {
    spaceId: event.space_id,
    eventId: event.event_id,
    messageId: message.message_id,
    conversationId: message.conversation_id,
    channelId: event.channel_id,
    notice: {
      ...notify,
      title: message.display_name ?? '',
      body: previewOf(message),
      ...(isEdit && { again: true }),
    },
    occurredAt: new Date(event.occurred_at),
  };
}

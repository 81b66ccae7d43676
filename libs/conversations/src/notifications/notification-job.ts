import type { ChatEvent, MessageNotice } from '../events/chat-event.js';
import { previewOf } from './preview.js';

/** Which message. */
export interface JobId {
  spaceId: string;
  eventId: string;
}

/** A message whose members are still to be told. */
export interface NotificationJob extends JobId {
  messageId: string;
  conversationId: string;
  channelId: string;
  notice: JobNotice;
  occurredAt: Date;
}

/** The notice, and what a push shows. */
export interface JobNotice extends MessageNotice {
  title: string;
  body: string;
  /** They were told of the message before: this takes the place of that. */
  again?: true;
}

/**
 * What a new message asks for, or an edited one that became more urgent; undefined when nobody is
 * to be notified of it.
 */
export function jobOf(event: ChatEvent): NotificationJob | undefined {
  const isAgain = event.event_type === 'MESSAGE_UPDATED';
  if ((!isAgain && event.event_type !== 'MESSAGE_CREATED') || event.notify === undefined) return undefined;
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
      ...(isAgain && { again: true }),
    },
    occurredAt: new Date(event.occurred_at),
  };
}

import { Field, PageAnswer } from '@tieline/platform/http';
import type { NotificationKind } from './push-policy.js';

/** A row of `notifications`. */
export interface StoredNotification {
  spaceId: string;
  userId: string;
  id: string;
  messageId: string;
  conversationId: string;
  kind: NotificationKind;
  severity: 'critical' | 'warning' | 'info';
  createdAt: Date;
}

/** An item of `notifications` in responses of the client endpoints. */
export class NotificationView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61' })
  id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d62' })
  message_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ enum: ['in_app', 'push'], example: 'push' })
  kind: NotificationKind;

  @Field({ enum: ['critical', 'warning', 'info'] })
  severity: string;

  @Field({ example: '2026-01-31T09:00:00.123Z' })
  created_at: string;
}

export class NotificationsPage extends PageAnswer {
  @Field({ type: NotificationView, isArray: true })
  notifications: NotificationView[];
}

/** The event of a person's stream, for the OpenAPI document. */
export class StreamedNotification extends NotificationView {
  @Field({ enum: ['notification'] })
  event: 'notification';
}

/** Returns a notification as its recipient sees it. */
export function notificationView(row: Omit<StoredNotification, 'spaceId' | 'userId'>): NotificationView {
  const { id, messageId, conversationId, kind, severity, createdAt } = row;
  return {
    id,
    message_id: messageId,
    conversation_id: conversationId,
    kind,
    severity,
    created_at: createdAt.toISOString(),
  };
}

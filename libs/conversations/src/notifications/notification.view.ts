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

/** `notifications[]` of the client endpoints (decisions, section 8). */
export interface NotificationView {
  id: string;
  message_id: string;
  conversation_id: string;
  kind: NotificationKind;
  severity: string;
  created_at: string;
}

/** How a person sees a notification. */
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

/** For the OpenAPI document. */
export const NOTIFICATION_EXAMPLE: NotificationView = {
  id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d61',
  message_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d62',
  conversation_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
  kind: 'push',
  severity: 'critical',
  created_at: '2026-01-31T09:00:00.123Z',
};

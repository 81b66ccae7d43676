import { statement, text } from '@tieline/platform/database';
import type { NotificationKind } from './push-policy.js';

/** Newest first: $1 space, $2 person, $3 before this id, $4 how many. */
export const LIST_NOTIFICATIONS = statement(
  'notifications.list',
  `SELECT space_id AS "spaceId", user_id AS "userId", id, message_id AS "messageId", conversation_id AS "conversationId", kind, severity, created_at AS "createdAt"
     FROM notifications WHERE space_id = $1 AND user_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4`,
  {
    spaceId: 'uuid',
    userId: 'uuid',
    id: 'uuid',
    messageId: 'uuid',
    conversationId: 'uuid',
    kind: text<NotificationKind>(),
    severity: text<'critical' | 'warning' | 'info'>(),
    createdAt: 'timestamptz',
  },
);

/** Those of these people who have an open stream anywhere. */
export const ONLINE = statement(
  'notifications.online',
  'SELECT DISTINCT user_id FROM client_presence WHERE space_id = $1 AND user_id = ANY($2::uuid[])',
  { user_id: 'uuid' },
);

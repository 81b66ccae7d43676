import { statement, text } from '@tieline/platform/database';
import { CHUNK } from './notification-jobs.statements.js';
import type { NotificationKind } from './push-policy.js';

/** Newest first: $1 space, $2 person, $3 before this id, $4 limit. */
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

/** Returns those of the given people who have an open stream in any process. */
export const ONLINE = statement(
  'notifications.online',
  'SELECT DISTINCT user_id FROM client_presence WHERE space_id = $1 AND user_id = ANY($2::uuid[])',
  { user_id: 'uuid' },
);

/**
 * Returns a page of the people in channels of a space, {@link CHUNK} of each. $1 space, $2
 * channels, $3 after this person
 */
export const MEMBERS = statement(
  'notifications.members',
  `SELECT c.channel_id AS "channelId", m.member_id AS "userId", m.muted FROM unnest($2::uuid[]) AS c(channel_id) CROSS JOIN LATERAL (
     SELECT member_id, muted FROM conversation_members
      WHERE space_id = $1 AND conversation_id = c.channel_id AND member_type = 'user' AND member_id > $3 ORDER BY member_id LIMIT ${CHUNK}
   ) m`,
  { channelId: 'uuid', userId: 'uuid', muted: 'bool' },
);

/** Deletes earlier notifications of messages. $1 space, $2 people, $3 messages */
export const TAKE_BACK = statement(
  'notifications.take_back',
  `DELETE FROM notifications n USING unnest($2::uuid[], $3::uuid[]) AS again(user_id, message_id)
    WHERE n.space_id = $1 AND n.user_id = again.user_id AND n.id > again.message_id AND n.message_id = again.message_id
    RETURNING n.user_id AS "userId", n.message_id AS "messageId", n.kind`,
  { userId: 'uuid', messageId: 'uuid', kind: text<NotificationKind>() },
);

export const INSERT_NOTIFICATIONS = statement(
  'notifications.insert',
  `INSERT INTO notifications (space_id, user_id, id, message_id, conversation_id, kind, severity)
   SELECT $1, n.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[])
     AS n(user_id, id, message_id, conversation_id, kind, severity)
   RETURNING id, created_at AS "createdAt"`,
  { id: 'uuid', createdAt: 'timestamptz' },
);

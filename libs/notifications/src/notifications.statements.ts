import { statement, text } from '@tieline/platform/database';
import { CHUNK } from './jobs/notification-jobs.statements.js';
import type { NotificationKind } from './push-policy.js';

/** A person's notifications before an id, newest first. */
export const LIST_NOTIFICATIONS = statement(
  'notifications.list_notifications',
  {
    params: {
      spaceId: 'uuid',
      userId: 'uuid',
      before: 'uuid',
      limit: 'int8',
    },
    columns: {
      spaceId: 'uuid',
      userId: 'uuid',
      id: 'uuid',
      messageId: 'uuid',
      conversationId: 'uuid',
      kind: text<NotificationKind>(),
      severity: text<'critical' | 'warning' | 'info'>(),
      createdAt: 'timestamptz',
    },
  },
  `
  SELECT
    space_id AS "spaceId",
    user_id AS "userId",
    id,
    message_id AS "messageId",
    conversation_id AS "conversationId",
    kind,
    severity,
    created_at AS "createdAt"
  FROM notifications
  WHERE space_id = :spaceId AND user_id = :userId AND id < :before
  ORDER BY id DESC
  LIMIT :limit
  `,
);

/** Returns those of the given people who have an open stream in any process. */
export const ONLINE = statement(
  'client_presence.find_online',
  `SELECT DISTINCT user_id AS "userId" FROM client_presence WHERE space_id = $1 AND user_id = ANY($2::uuid[])`,
  { userId: 'uuid' },
);

/**
 * Returns a page of the people in channels of a space, {@link CHUNK} of each. $1 space, $2
 * channels, $3 after this person
 */
export const MEMBERS = statement(
  'conversation_members.list_people',
  `SELECT c.channel_id AS "channelId", m.member_id AS "userId", m.muted FROM unnest($2::uuid[]) AS c(channel_id) CROSS JOIN LATERAL (
     SELECT member_id, muted FROM conversation_members
      WHERE space_id = $1 AND conversation_id = c.channel_id AND member_type = 'user' AND member_id > $3 ORDER BY member_id LIMIT ${CHUNK}
   ) m`,
  { channelId: 'uuid', userId: 'uuid', muted: 'bool' },
);

/** Deletes earlier notifications of messages. $1 space, $2 people, $3 messages */
export const TAKE_BACK = statement(
  'notifications.withdraw_earlier',
  `DELETE FROM notifications n USING unnest($2::uuid[], $3::uuid[]) AS again(user_id, message_id)
    WHERE n.space_id = $1 AND n.user_id = again.user_id AND n.id > again.message_id AND n.message_id = again.message_id
    RETURNING n.user_id AS "userId", n.message_id AS "messageId", n.kind`,
  { userId: 'uuid', messageId: 'uuid', kind: text<NotificationKind>() },
);

export const INSERT_NOTIFICATIONS = statement(
  'notifications.insert_notifications',
  {
    params: {
      spaceId: 'uuid',
      userIds: 'uuid[]',
      ids: 'uuid[]',
      messageIds: 'uuid[]',
      conversationIds: 'uuid[]',
      kinds: 'text[]',
      severities: 'text[]',
    },
    columns: { id: 'uuid', createdAt: 'timestamptz' },
  },
  `
  INSERT INTO notifications (
    space_id,
    user_id,
    id,
    message_id,
    conversation_id,
    kind,
    severity
  )
  SELECT :spaceId, n.*
  FROM unnest(
    :userIds::uuid[],
    :ids::uuid[],
    :messageIds::uuid[],
    :conversationIds::uuid[],
    :kinds::text[],
    :severities::text[]
  ) AS n (user_id, id, message_id, conversation_id, kind, severity)
  RETURNING id, created_at AS "createdAt"
  `,
);

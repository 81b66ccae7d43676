import { nullable, statement, text } from '@tieline/platform/database';

/** Returns the names that requests of commands carry. */
export const NAMES_OF_COMMANDS = statement(
  'slack_commands.find_names',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      userIds: 'uuid[]',
      conversationIds: 'uuid[]',
    },
    columns: {
      userId: 'uuid',
      userName: 'text',
      conversationId: 'uuid',
      channelId: 'uuid',
      channelName: 'text',
      scope: text<'public' | 'private' | 'dm'>(),
      spaceName: 'text',
      appId: nullable('uuid'),
    },
  },
  `
  SELECT
    asked.user_id AS "userId",
    u.display_name AS "userName",
    asked.conversation_id AS "conversationId",
    ch.id AS "channelId",
    ch.name AS "channelName",
    ch.scope,
    s.name AS "spaceName",
    (
      SELECT i.app_id
      FROM app_installations i
      WHERE i.space_id = :spaceId AND i.bot_id = :botId AND i.deleted_at IS NULL
      LIMIT 1
    ) AS "appId"
  FROM unnest(:userIds::uuid[], :conversationIds::uuid[]) AS asked (user_id, conversation_id)
  JOIN spaces s ON s.id = :spaceId
  JOIN users u ON u.space_id = :spaceId AND u.id = asked.user_id
  JOIN conversations c ON c.space_id = :spaceId AND c.id = asked.conversation_id
  JOIN conversations ch ON ch.space_id = :spaceId AND ch.id = coalesce(c.parent_conversation_id, c.id)
  `,
);

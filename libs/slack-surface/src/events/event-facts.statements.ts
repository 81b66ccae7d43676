import { nullable, rfc3339, statement, text } from '@tieline/platform/database';

/** Returns messages with their channel. A reply has the channel of its root message. */
export const MESSAGES_OF_EVENTS = statement(
  'slack_events.find_messages',
  {
    params: { spaceIds: 'uuid[]', ids: 'uuid[]' },
    columns: {
      id: 'uuid',
      sentAt: 'text',
      authorId: 'uuid',
      channelId: 'uuid',
      scope: text<'public' | 'private' | 'dm'>(),
      rootSentAt: nullable('text'),
    },
  },
  `
  SELECT
    m.id,
    ${rfc3339('m.sent_at')} AS "sentAt",
    m.author_id AS "authorId",
    coalesce(c.parent_conversation_id, c.id) AS "channelId",
    c.scope,
    ${rfc3339('r.sent_at')} AS "rootSentAt"
  FROM unnest(:spaceIds::uuid[], :ids::uuid[]) AS asked (space_id, id)
  JOIN messages m ON m.space_id = asked.space_id AND m.id = asked.id
  JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
  LEFT JOIN messages r ON r.space_id = c.space_id AND r.id = c.root_message_id
  `,
);

/**
 * Returns the events that the bots of installations subscribed to, also of uninstalled ones.
 * $1 spaces, $2 installations
 */
export const SUBSCRIPTIONS_OF_INSTALLATIONS = statement(
  'slack_events.find_subscriptions',
  `SELECT i.id, b.slack_events AS "slackEvents" FROM app_installations i
     JOIN bots b ON b.space_id = i.space_id AND b.id = i.bot_id
    WHERE i.space_id = ANY ($1::uuid[]) AND i.id = ANY ($2::uuid[])`,
  { id: 'uuid', slackEvents: 'text[]' },
);

/** Returns the apps of bots that belong to one. $1 spaces, $2 bots */
export const APPS_OF_BOTS = statement(
  'slack_events.find_apps',
  `SELECT i.bot_id AS "botId", i.app_id AS "appId" FROM app_installations i
    WHERE i.space_id = ANY ($1::uuid[]) AND i.bot_id = ANY ($2::uuid[]) AND i.app_id IS NOT NULL AND i.deleted_at IS NULL`,
  { botId: 'uuid', appId: 'uuid' },
);

import type { EventDeliveryMode } from '@tieline/bots';
import { nullable, statement, text } from '@tieline/platform/database';

/**
 * Returns where interactions of a bot go and the names in them, and locks the bot's mode (shared)
 * until the end of the transaction.
 */
export const HOLD_APP = statement(
  'slack_interactions.hold_app',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      userId: 'uuid',
    },
    columns: {
      mode: text<EventDeliveryMode>(),
      isActive: 'bool',
      botName: 'text',
      url: 'text',
      secret: 'bytea',
      previousSecret: nullable('bytea'),
      userName: 'text',
      spaceName: 'text',
      appId: nullable('uuid'),
    },
  },
  `
  SELECT
    b.event_delivery_mode AS mode,
    b.is_active AS "isActive",
    b.display_name AS "botName",
    coalesce(nullif(b.interactive_url, ''), c.callback_url, '') AS url,
    b.webhook_secret AS secret,
    CASE
      WHEN b.previous_secret_expires_at > statement_timestamp() THEN b.previous_secret
    END AS "previousSecret",
    u.display_name AS "userName",
    s.name AS "spaceName",
    (
      SELECT i.app_id
      FROM app_installations i
      WHERE i.space_id = :spaceId AND i.bot_id = :botId AND i.deleted_at IS NULL
      LIMIT 1
    ) AS "appId"
  FROM bots b
  JOIN spaces s ON s.id = b.space_id
  JOIN users u ON u.space_id = b.space_id AND u.id = :userId
  LEFT JOIN interactive_configs c ON c.space_id = b.space_id AND c.bot_id = b.id
  WHERE b.space_id = :spaceId AND b.id = :botId AND b.deleted_at IS NULL
  FOR SHARE OF b
  `,
);

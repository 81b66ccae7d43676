import { statement } from '@tieline/platform/database';

/** Apps of installations that are not uninstalled. $1 ids of installations */
export const FIND_APPS_OF_INSTALLATIONS = statement(
  'app_installations.find_apps',
  `SELECT id, space_id AS "spaceId", app_id AS "appId"
   FROM app_installations
   WHERE id = ANY($1::uuid[]) AND app_id IS NOT NULL AND deleted_at IS NULL`,
  { id: 'uuid', spaceId: 'uuid', appId: 'uuid' },
);

/** Those of the apps that receive events. $1 ids of apps */
export const FIND_RECEIVING_APPS = statement(
  'apps.find_receiving',
  `SELECT id, space_id AS "spaceId", event_format = 'slack' AS "isSlack"
   FROM apps
   WHERE id = ANY($1::uuid[]) AND event_url <> ''`,
  { id: 'uuid', spaceId: 'uuid', isSlack: 'bool' },
);

/**
 * Bots in Slack's socket mode that receive the events of their app, because it has no `event_url`.
 * $1 ids of installations
 */
export const FIND_SOCKET_BOTS = statement(
  'app_installations.find_socket_bots',
  `SELECT i.id, i.space_id AS "spaceId", b.id AS "botId"
   FROM app_installations i
   JOIN apps p ON p.id = i.app_id AND p.event_url = ''
   JOIN bots b ON b.space_id = i.space_id AND b.id = i.bot_id
   WHERE i.id = ANY($1::uuid[]) AND i.deleted_at IS NULL
     AND b.is_active AND b.deleted_at IS NULL
     AND b.event_delivery_mode = 'poll' AND b.event_format = 'slack'`,
  { id: 'uuid', spaceId: 'uuid', botId: 'uuid' },
);

/**
 * Apps as the delivery engine needs them. Deleted and inactive apps still receive what happened to
 * their installations. $1 ids of apps
 */
export const LOAD_EVENT_TARGETS = statement(
  'apps.load_event_targets',
  `SELECT p.id, p.event_url AS url, s.is_active AND p.event_url <> '' AS active, p.signing_secret AS "signingSecret"
   FROM apps p
   JOIN spaces s ON s.id = p.space_id
   WHERE p.id = ANY($1::uuid[])`,
  { id: 'uuid', url: 'text', active: 'bool', signingSecret: 'bytea' },
);

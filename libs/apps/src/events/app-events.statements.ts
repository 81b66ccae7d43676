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

import { statement } from '@tieline/platform/database';

const drop = (
  table:
    | 'component_clicks'
    | 'interactions'
    | 'modals'
    | 'response_uses'
    | 'option_requests'
    | 'ephemeral_messages',
  kept: string,
) =>
  statement(
    `${table}.drop_expired`,
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE expires_at < statement_timestamp() - interval '${kept}' ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )) RETURNING 1 AS n`,
    { n: 'int4' },
  );

/** Deletes homes of deleted bots and of people without access. $1 maximum number of rows */
const DROP_HOMES = statement(
  'views.drop_homes',
  `DELETE FROM modals WHERE ctid = ANY (ARRAY(
     SELECT v.ctid FROM modals v
      WHERE v.view_kind = 'home' AND NOT EXISTS (
        SELECT 1 FROM bots b JOIN users u ON u.space_id = b.space_id AND u.id = v.user_id AND u.is_active
         WHERE b.space_id = v.space_id AND b.id = v.bot_id AND b.deleted_at IS NULL)
      LIMIT $1 FOR UPDATE OF v SKIP LOCKED)) RETURNING 1 AS n`,
  { n: 'int4' },
);

/**
 * Deletes expired rows. Clicks, uses of response tokens and option requests go immediately. The
 * other rows stay for a day, so that a late answer gets 410 instead of 404. $1 maximum number of
 * rows
 */
export const DROPS = [
  drop('component_clicks', '0 seconds'),
  drop('interactions', '24 hours'),
  drop('modals', '24 hours'),
  drop('response_uses', '0 seconds'),
  drop('option_requests', '0 seconds'),
  drop('ephemeral_messages', '24 hours'),
  DROP_HOMES,
] as const;

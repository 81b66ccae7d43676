import { nullable, statement } from '@tieline/platform/database';
import { LIVE_PREVIOUS_SECRET } from '@tieline/signing';

/**
 * The sealed secrets of those subscriptions that are not deleted, with the one before while it is
 * live.
 */
export const FIND_SECRETS = statement(
  'outgoing_secrets',
  `SELECT id, signing_secret, ${LIVE_PREVIOUS_SECRET} AS previous_secret
   FROM outgoing_webhooks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL AND signing_secret IS NOT NULL`,
  { id: 'uuid', signing_secret: 'bytea', previous_secret: nullable('bytea') },
);

/** How many subscriptions a space has. $1 space */
export const COUNT_SUBSCRIPTIONS = statement(
  'outgoing.count_subscriptions',
  'SELECT count(*) AS count FROM outgoing_webhooks WHERE space_id = $1 AND deleted_at IS NULL',
  { count: 'int8' },
);

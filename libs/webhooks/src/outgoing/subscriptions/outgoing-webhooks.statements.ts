import { nullable, statement } from '@tieline/platform/database';
import { LIVE_PREVIOUS_SECRET } from '@tieline/signing';

/**
 * Returns the sealed secrets of the subscriptions that are not deleted, and their previous secrets
 * while valid.
 */
export const FIND_SECRETS = statement(
  'outgoing_webhooks.find_secrets',
  `
  SELECT
    id,
    signing_secret AS "signingSecret",
    ${LIVE_PREVIOUS_SECRET} AS "previousSecret"
  FROM outgoing_webhooks
  WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL AND signing_secret IS NOT NULL
  `,
  { id: 'uuid', signingSecret: 'bytea', previousSecret: nullable('bytea') },
);

/** Counts the subscriptions of a space. $1 space */
export const COUNT_SUBSCRIPTIONS = statement(
  'outgoing_webhooks.count',
  'SELECT count(*) AS count FROM outgoing_webhooks WHERE space_id = $1 AND deleted_at IS NULL',
  { count: 'int8' },
);

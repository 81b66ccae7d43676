import { statement } from '@tieline/platform/database';

/** Counts the incoming webhooks of a space. $1 space */
export const COUNT_INCOMING_WEBHOOKS = statement(
  'incoming_webhooks.count',
  'SELECT count(*) AS count FROM incoming_webhooks WHERE space_id = $1 AND deleted_at IS NULL',
  { count: 'int8' },
);

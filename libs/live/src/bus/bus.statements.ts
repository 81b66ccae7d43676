import { TOPIC_LOCKS } from '@tieline/background';
import { statement } from '@tieline/platform/database';

/**
 * Sends each frame ($2) over its channel ($1), in this order. Leaves out those of a topic ($3) that
 * no process listens to, because the server wakes every listening session for each notification.
 * Listeners share the lock of their topic. A lock that another sender holds has no effect but a
 * notification too many.
 */
export const NOTIFY = statement(
  'bus_messages.notify_channels',
  `SELECT count(pg_notify(channel, frame)) AS sent FROM unnest($1::text[], $2::text[], $3::int4[]) AS f(channel, frame, topic)
   WHERE topic IS NULL OR NOT pg_try_advisory_xact_lock(${TOPIC_LOCKS}, topic)`,
  { sent: 'int8' },
);

/** Stores messages that are too large for a notification. */
export const SPILL = statement(
  'bus_messages.insert_messages',
  'INSERT INTO bus_messages (id, body) SELECT * FROM unnest($1::uuid[], $2::text[])',
  {},
);

/** Reads stored messages by id. */
export const FETCH_SPILLED = statement(
  'bus_messages.fetch_messages',
  'SELECT id, body FROM bus_messages WHERE id = ANY($1::uuid[])',
  { id: 'uuid', body: 'text' },
);

/** Deletes old messages. Not prepared, because it runs only twice a minute. */
export const CLEAN_SPILLED = statement(
  'bus_messages.drop_old',
  `DELETE FROM bus_messages WHERE created_at < now() - interval '1 minute'`,
  {},
);

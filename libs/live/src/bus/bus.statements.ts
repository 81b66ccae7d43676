import { statement } from '@tieline/platform/database';

/** Sends frames ($2) over channels ($1), in this order. */
export const NOTIFY = statement(
  'bus_notify',
  'SELECT count(pg_notify(channel, frame)) AS sent FROM unnest($1::text[], $2::text[]) AS f(channel, frame)',
  { sent: 'int8' },
);

/** Stores lines that are too large for a notification. */
export const SPILL = statement(
  'bus_spill',
  'INSERT INTO bus_messages (id, body) SELECT * FROM unnest($1::uuid[], $2::text[])',
  {},
);

export const FETCH_SPILLED = statement(
  'bus_fetch',
  'SELECT id, body FROM bus_messages WHERE id = ANY($1::uuid[])',
  { id: 'uuid', body: 'text' },
);

/** Sent as plain text, unprepared, because it runs twice a minute. */
export const CLEAN_SPILLED = statement(
  'bus_clean',
  `DELETE FROM bus_messages WHERE created_at < now() - interval '1 minute'`,
  {},
);

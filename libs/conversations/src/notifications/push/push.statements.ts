import { statement } from '@tieline/platform/database';

/**
 * Remembers a device; the same endpoint again is the same device with new keys. $7: hash of the
 * session that it belongs to, and ends with; NULL: to none. Answers its id; no row: the session has
 * ended meanwhile.
 */
export const ADD_SUBSCRIPTION = statement(
  'notifications.add_subscription',
  `INSERT INTO push_subscriptions (space_id, user_id, id, endpoint, p256dh, auth, session_id)
   SELECT $1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::text, s.id FROM (SELECT) one LEFT JOIN sessions s ON s.token_hash = $7::bytea
    WHERE $7 IS NULL OR s.id IS NOT NULL
   ON CONFLICT (space_id, user_id, endpoint) DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, session_id = excluded.session_id, gone_at = NULL RETURNING id`,
  { id: 'uuid' },
);

/** Forgets all but the $3 newest devices of a person. */
export const FORGET_OLDEST = statement(
  'notifications.forget_oldest_subscriptions',
  `DELETE FROM push_subscriptions WHERE space_id = $1 AND user_id = $2 AND id IN (
     SELECT id FROM push_subscriptions WHERE space_id = $1 AND user_id = $2 ORDER BY created_at DESC, id DESC OFFSET $3)`,
  {},
);

/** The devices of several people that are there still. */
export const FIND_SUBSCRIPTIONS = statement(
  'notifications.push_subscriptions',
  'SELECT id, user_id AS "userId", p256dh, auth FROM push_subscriptions WHERE space_id = $1 AND user_id = ANY($2::uuid[]) AND gone_at IS NULL',
  { id: 'uuid', userId: 'uuid', p256dh: 'text', auth: 'text' },
);

/** A session whose time is over may still be there for a while. */
export const LOAD_PUSH_TARGETS = statement(
  'notifications.push_targets',
  `SELECT p.id, p.endpoint AS url, u.is_active AND s.is_active AND p.gone_at IS NULL AND (p.session_id IS NULL
       OR EXISTS (SELECT 1 FROM sessions o WHERE o.id = p.session_id AND o.expires_at > statement_timestamp())) AS active FROM push_subscriptions p
     JOIN users u ON u.space_id = p.space_id AND u.id = p.user_id JOIN spaces s ON s.id = p.space_id WHERE p.id = ANY($1::uuid[])`,
  { id: 'uuid', url: 'text', active: 'bool' },
);

/**
 * Ends devices by failed deliveries. 404 and 410: the browser has ended the subscription, or the
 * service has forgotten it. Their person still sees them: a list that lost them would tell what an
 * address of their choice answers.
 */
export const END_GONE = statement(
  'notifications.end_gone_subscriptions',
  `UPDATE push_subscriptions SET gone_at = clock_timestamp() WHERE gone_at IS NULL AND id IN (
     SELECT d.target_id FROM unnest($1::uuid[], $2::uuid[]) AS d(id, target_id)
      WHERE EXISTS (SELECT 1 FROM delivery_attempts a WHERE a.delivery_id = d.id AND a.status_code IN (404, 410)))`,
  {},
);

export const FIND_VAPID_KEYS = statement(
  'notifications.vapid_keys',
  'SELECT public_key, private_key FROM vapid_keys',
  { public_key: 'text', private_key: 'bytea' },
);

/** The first process makes them, for all. */
export const INSERT_VAPID_KEYS = statement(
  'notifications.insert_vapid_keys',
  'INSERT INTO vapid_keys (public_key, private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  {},
);

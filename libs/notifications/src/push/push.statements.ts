import { nullable, statement } from '@tieline/platform/database';

/**
 * Registers a device; the same endpoint again replaces its keys. Returns its id, or no row if the
 * session has ended.
 */
export const ADD_SUBSCRIPTION = statement(
  'push_subscriptions.add_device',
  {
    params: {
      spaceId: 'uuid',
      userId: 'uuid',
      id: 'uuid',
      endpoint: 'text',
      p256dh: 'text',
      auth: 'text',
      /** The hash of the token of the session whose end removes the device. */
      sessionHash: nullable('bytea'),
    },
    columns: { id: 'uuid' },
  },
  `
  INSERT INTO push_subscriptions (
    space_id,
    user_id,
    id,
    endpoint,
    p256dh,
    auth,
    session_id
  )
  SELECT
    :spaceId::uuid,
    :userId::uuid,
    :id::uuid,
    :endpoint::text,
    :p256dh::text,
    :auth::text,
    s.id
  FROM (SELECT) one
  LEFT JOIN sessions s ON s.token_hash = :sessionHash::bytea
  WHERE :sessionHash IS NULL OR s.id IS NOT NULL
  ON CONFLICT (space_id, user_id, endpoint) DO UPDATE
  SET
    p256dh = excluded.p256dh,
    auth = excluded.auth,
    session_id = excluded.session_id,
    gone_at = NULL
  RETURNING id
  `,
);

/** Deletes all but the $3 newest devices of a person. */
export const FORGET_OLDEST = statement(
  'push_subscriptions.drop_oldest',
  `DELETE FROM push_subscriptions WHERE space_id = $1 AND user_id = $2 AND id IN (
     SELECT id FROM push_subscriptions WHERE space_id = $1 AND user_id = $2 ORDER BY created_at DESC, id DESC OFFSET $3)`,
  {},
);

/** Returns the active devices of several people. */
export const FIND_SUBSCRIPTIONS = statement(
  'push_subscriptions.find_devices',
  'SELECT id, user_id AS "userId", p256dh, auth FROM push_subscriptions WHERE space_id = $1 AND user_id = ANY($2::uuid[]) AND gone_at IS NULL',
  { id: 'uuid', userId: 'uuid', p256dh: 'text', auth: 'text' },
);

/** An expired session may still have a row for a while. */
export const LOAD_PUSH_TARGETS = statement(
  'push_subscriptions.load_targets',
  `SELECT p.id, p.endpoint AS url, u.is_active AND s.is_active AND p.gone_at IS NULL AND (p.session_id IS NULL
       OR EXISTS (SELECT 1 FROM sessions o WHERE o.id = p.session_id AND o.expires_at > statement_timestamp())) AS active FROM push_subscriptions p
     JOIN users u ON u.space_id = p.space_id AND u.id = p.user_id JOIN spaces s ON s.id = p.space_id WHERE p.id = ANY($1::uuid[])`,
  { id: 'uuid', url: 'text', active: 'bool' },
);

/**
 * Marks devices as gone after failed deliveries with 404 or 410: the browser ended the
 * subscription, or the service no longer knows it. People still see these devices. Removing them
 * from the list would reveal how an address of the person's choice responds.
 */
export const END_GONE = statement(
  'push_subscriptions.mark_gone',
  `UPDATE push_subscriptions SET gone_at = clock_timestamp() WHERE gone_at IS NULL AND id IN (
     SELECT d.target_id FROM unnest($1::uuid[], $2::uuid[]) AS d(id, target_id)
      WHERE EXISTS (SELECT 1 FROM delivery_attempts a WHERE a.delivery_id = d.id AND a.status_code IN (404, 410)))`,
  {},
);

export const FIND_VAPID_KEYS = statement(
  'vapid_keys.find_keys',
  `SELECT public_key AS "publicKey", private_key AS "privateKey" FROM vapid_keys`,
  { publicKey: 'text', privateKey: 'bytea' },
);

/** The first process creates the keys for all processes. */
export const INSERT_VAPID_KEYS = statement(
  'vapid_keys.insert_keys',
  'INSERT INTO vapid_keys (public_key, private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  {},
);

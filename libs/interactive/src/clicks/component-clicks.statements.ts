import { rfc3339, statement } from '@tieline/platform/database';

/**
 * Of concurrent equal clicks, in any process, one gets a row. $1 space, $2 fingerprint, $3 click,
 * $4 milliseconds
 */
export const CLAIM_CLICK = statement(
  'interactive.claim_click',
  `INSERT INTO component_clicks AS c (space_id, fingerprint, click_id, expires_at)
   VALUES ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 millisecond')
   ON CONFLICT (space_id, fingerprint) DO UPDATE
     SET click_id = excluded.click_id, clicked_at = excluded.clicked_at, expires_at = excluded.expires_at, is_accepted = false
     WHERE c.expires_at <= statement_timestamp()
   RETURNING ${rfc3339('c.clicked_at')} AS "occurredAt"`,
  { occurredAt: 'text' },
);

/** Starts the 60-second window. $1 space, $2 fingerprint, $3 click */
export const ACCEPT_CLICK = statement(
  'interactive.accept_click',
  `UPDATE component_clicks SET expires_at = clicked_at + interval '60 seconds', is_accepted = true
    WHERE space_id = $1 AND fingerprint = $2 AND click_id = $3`,
  {},
);

/** Waits for a transaction that is accepting the click. $1 space, $2 fingerprint, $3 click */
export const LOCK_CLICK = statement(
  'interactive.lock_click',
  'SELECT is_accepted AS "isAccepted" FROM component_clicks WHERE space_id = $1 AND fingerprint = $2 AND click_id = $3 FOR UPDATE',
  { isAccepted: 'bool' },
);

/** $1 space, $2 fingerprint, $3 click */
export const RELEASE_CLICK = statement(
  'interactive.release_click',
  'DELETE FROM component_clicks WHERE space_id = $1 AND fingerprint = $2 AND click_id = $3',
  {},
);

import { rfc3339, statement } from '@tieline/platform/database';

const CLAIM = { spaceId: 'uuid', fingerprint: 'bytea', clickId: 'uuid' } as const;
const OF_CLAIM = 'space_id = :spaceId AND fingerprint = :fingerprint AND click_id = :clickId';

/** Of concurrent equal clicks, in any process, one gets a row. */
export const CLAIM_CLICK = statement(
  'component_clicks.claim',
  {
    params: { ...CLAIM, leaseMs: 'float8' },
    columns: { occurredAt: 'text' },
  },
  `
  INSERT INTO component_clicks AS c (
    space_id,
    fingerprint,
    click_id,
    expires_at
  )
  VALUES (
    :spaceId,
    :fingerprint,
    :clickId,
    clock_timestamp() + :leaseMs::float8 * interval '1 millisecond'
  )
  ON CONFLICT (space_id, fingerprint) DO UPDATE
  SET
    click_id = excluded.click_id,
    clicked_at = excluded.clicked_at,
    expires_at = excluded.expires_at,
    is_accepted = false
  WHERE c.expires_at <= statement_timestamp()
  RETURNING ${rfc3339('c.clicked_at')} AS "occurredAt"
  `,
);

/** Starts the 60-second window. */
export const ACCEPT_CLICK = statement(
  'component_clicks.accept',
  { params: CLAIM, columns: {} },
  `
  UPDATE component_clicks
  SET
    expires_at = clicked_at + interval '60 seconds',
    is_accepted = true
  WHERE ${OF_CLAIM}
  `,
);

/** Waits for a transaction that is accepting the click. */
export const LOCK_CLICK = statement(
  'component_clicks.lock',
  { params: CLAIM, columns: { isAccepted: 'bool' } },
  `SELECT is_accepted AS "isAccepted" FROM component_clicks WHERE ${OF_CLAIM} FOR UPDATE`,
);

export const RELEASE_CLICK = statement(
  'component_clicks.release',
  { params: CLAIM, columns: {} },
  `DELETE FROM component_clicks WHERE ${OF_CLAIM}`,
);

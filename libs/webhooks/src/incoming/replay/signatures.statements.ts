import { statement } from '@tieline/platform/database';

/** Longer than any timestamp stays in the window: it may be 300 s ahead, and counts until 300 s after. */
const LIFE = `interval '11 minutes'`;
/** Old ones that go with every one that comes. */
const DROPPED_EACH = 2;

/** Notes signatures; answers those that nobody has noted before. $1 webhooks, $2 signatures */
export const CLAIM_SIGNATURES = statement(
  'webhooks.claim_signatures',
  `WITH old AS (
     DELETE FROM incoming_signatures WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM incoming_signatures WHERE expires_at < statement_timestamp() ORDER BY expires_at
        LIMIT ${DROPPED_EACH} * cardinality($1::uuid[]) FOR UPDATE SKIP LOCKED))
   )
   INSERT INTO incoming_signatures (webhook_id, signature, expires_at)
   SELECT webhook_id, signature, statement_timestamp() + ${LIFE} FROM unnest($1::uuid[], $2::bytea[]) AS g(webhook_id, signature)
    ORDER BY webhook_id, signature
   ON CONFLICT DO NOTHING RETURNING webhook_id AS "webhookId", signature`,
  { webhookId: 'uuid', signature: 'bytea' },
);

/** Forgets a signature whose request was refused after all. */
export const RELEASE_SIGNATURE = statement(
  'webhooks.release_signature',
  'DELETE FROM incoming_signatures WHERE webhook_id = $1 AND signature = $2',
  {},
);

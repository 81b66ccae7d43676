import { nullable, statement } from '@tieline/platform/database';

/**
 * Longer than any timestamp stays in the window: it may be 300 s ahead, and counts until 300 s
 * after.
 */
const LIFE = `interval '11 minutes'`;
/** Expired rows that each new one removes, which bounds the table. */
const DROPPED_EACH = 2;
/**
 * A request that has not ended after this time died with its process: an exact repeat may take its
 * place.
 */
const LEASE = `interval '60 seconds'`;
/**
 * Deletions sign nothing but their second. For this long after the first one, its signature deletes
 * other messages too.
 */
const DELETIONS_SHARE = `interval '10 seconds'`;

/**
 * Claims signatures for requests, and tells for each request, in the given order, what the
 * signature was used for so far. $1 webhooks, $2 signatures, $3 subjects, $4 hashes of the
 * requests.
 */
export const CLAIM_SIGNATURES = statement(
  'webhooks.claim_signatures',
  `WITH old AS (
     DELETE FROM incoming_signatures WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM incoming_signatures WHERE expires_at < statement_timestamp() ORDER BY expires_at
        LIMIT ${DROPPED_EACH} * cardinality($1::uuid[]) FOR UPDATE SKIP LOCKED))
   ), given AS MATERIALIZED (
     SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::bytea[]) WITH ORDINALITY AS g(webhook_id, signature, subject, request_hash, nth)
   ), judged AS MATERIALIZED (
     SELECT g.*, EXISTS (SELECT FROM incoming_signatures o
       WHERE o.webhook_id = g.webhook_id AND o.signature = g.signature AND o.subject <> g.subject AND o.expires_at >= statement_timestamp()
         AND (o.subject = '' OR g.subject = '' OR o.claimed_at < statement_timestamp() - ${DELETIONS_SHARE})) AS otherwise_used
     FROM given g
   ), mine AS (
     INSERT INTO incoming_signatures AS s (webhook_id, signature, subject, request_hash, answered, claimed_at, expires_at)
     SELECT DISTINCT ON (webhook_id, signature, subject) webhook_id, signature, subject, request_hash, false, statement_timestamp(),
       statement_timestamp() + ${LIFE} FROM judged WHERE NOT otherwise_used ORDER BY webhook_id, signature, subject, nth
     ON CONFLICT (webhook_id, signature, subject) DO UPDATE SET request_hash = excluded.request_hash, answered = false, message_id = NULL,
       claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
      WHERE s.expires_at < statement_timestamp()
        OR (NOT s.answered AND s.request_hash = excluded.request_hash AND s.claimed_at < statement_timestamp() - ${LEASE})
     RETURNING webhook_id, signature, subject, request_hash
   )
   SELECT j.otherwise_used AS "isUsedOtherwise", coalesce(m.request_hash = j.request_hash, false) AS "isMine",
     s.request_hash = j.request_hash AS "isSameRequest", s.answered AS "isAnswered", s.message_id AS "messageId"
    FROM judged j LEFT JOIN mine m USING (webhook_id, signature, subject)
    LEFT JOIN incoming_signatures s ON s.webhook_id = j.webhook_id AND s.signature = j.signature AND s.subject = j.subject
      AND s.expires_at >= statement_timestamp()
    ORDER BY j.nth`,
  {
    isUsedOtherwise: 'bool',
    isMine: 'bool',
    isSameRequest: nullable('bool'),
    isAnswered: nullable('bool'),
    messageId: nullable('uuid'),
  },
);

/**
 * Stores what claimed requests were answered. $1 webhooks, $2 signatures, $3 subjects, $4 messages
 */
export const STORE_RESULTS = statement(
  'webhooks.store_signature_results',
  `UPDATE incoming_signatures s SET answered = true, message_id = g.message_id
    FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::uuid[]) AS g(webhook_id, signature, subject, message_id)
    WHERE s.webhook_id = g.webhook_id AND s.signature = g.signature AND s.subject = g.subject`,
  {},
);

/** Forgets the claim of a request that was refused after all. */
export const RELEASE_SIGNATURE = statement(
  'webhooks.release_signature',
  'DELETE FROM incoming_signatures WHERE webhook_id = $1 AND signature = $2 AND subject = $3 AND NOT answered',
  {},
);

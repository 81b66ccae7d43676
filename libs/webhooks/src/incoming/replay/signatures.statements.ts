import { nullable, statement } from '@tieline/platform/database';

/**
 * Lifetime of a row. A timestamp may be 300 s ahead and is valid for 300 s after, so it never
 * outlives the row.
 */
const LIFETIME = `interval '11 minutes'`;
/** Expired rows deleted per claim, which bounds the table. */
const DELETED_PER_CLAIM = 2;
/**
 * A request still unfinished after this time died with its process. An exact repeat may take over.
 */
const LEASE = `interval '60 seconds'`;
/**
 * The signature of a deletion covers only its timestamp in seconds. For this long after the first
 * deletion, the same signature may delete other messages.
 */
const DELETION_WINDOW = `interval '10 seconds'`;

/**
 * Claims signatures for requests. Returns for each request, in the given order, how its signature
 * has been used. A repeat that takes over keeps the message id of the request that died.
 */
export const CLAIM_SIGNATURES = statement(
  'incoming_signatures.claim',
  {
    params: {
      webhookIds: 'uuid[]',
      signatures: 'bytea[]',
      subjects: 'text[]',
      requestHashes: 'bytea[]',
      messageIds: 'uuid[]',
    },
    columns: {
      isUsedOtherwise: 'bool',
      isMine: 'bool',
      isSameRequest: nullable('bool'),
      isAnswered: nullable('bool'),
      messageId: nullable('uuid'),
    },
  },
  `
  WITH old AS (
    DELETE FROM incoming_signatures
    WHERE ctid = ANY (ARRAY(
      SELECT ctid
      FROM incoming_signatures
      WHERE expires_at < statement_timestamp()
      ORDER BY expires_at
      LIMIT ${DELETED_PER_CLAIM} * cardinality(:webhookIds::uuid[])
      FOR UPDATE SKIP LOCKED
    ))
  ),
  given AS MATERIALIZED (
    SELECT *
    FROM unnest(
      :webhookIds::uuid[],
      :signatures::bytea[],
      :subjects::text[],
      :requestHashes::bytea[],
      :messageIds::uuid[]
    ) WITH ORDINALITY AS g(webhook_id, signature, subject, request_hash, message_id, nth)
  ),
  judged AS MATERIALIZED (
    SELECT
      g.*,
      EXISTS (
        SELECT FROM incoming_signatures o
        WHERE o.webhook_id = g.webhook_id
          AND o.signature = g.signature
          AND o.subject <> g.subject
          AND o.expires_at >= statement_timestamp()
          AND (
            o.subject = ''
            OR g.subject = ''
            OR o.claimed_at < statement_timestamp() - ${DELETION_WINDOW}
          )
      ) AS otherwise_used
    FROM given g
  ),
  mine AS (
    INSERT INTO incoming_signatures AS s (
      webhook_id,
      signature,
      subject,
      request_hash,
      answered,
      message_id,
      claimed_at,
      expires_at
    )
    SELECT DISTINCT ON (webhook_id, signature, subject)
      webhook_id,
      signature,
      subject,
      request_hash,
      false,
      message_id,
      statement_timestamp(),
      statement_timestamp() + ${LIFETIME}
    FROM judged
    WHERE NOT otherwise_used
    ORDER BY webhook_id, signature, subject, nth
    ON CONFLICT (webhook_id, signature, subject) DO UPDATE
    SET
      request_hash = excluded.request_hash,
      answered = false,
      message_id = CASE
        WHEN s.expires_at < statement_timestamp() THEN excluded.message_id
        ELSE coalesce(s.message_id, excluded.message_id)
      END,
      claimed_at = excluded.claimed_at,
      expires_at = excluded.expires_at
    WHERE s.expires_at < statement_timestamp()
      OR (
        NOT s.answered
        AND s.request_hash = excluded.request_hash
        AND s.claimed_at < statement_timestamp() - ${LEASE}
      )
    RETURNING webhook_id, signature, subject, request_hash
  )
  SELECT
    j.otherwise_used AS "isUsedOtherwise",
    coalesce(m.request_hash = j.request_hash, false) AS "isMine",
    s.request_hash = j.request_hash AS "isSameRequest",
    s.answered AS "isAnswered",
    s.message_id AS "messageId"
  FROM judged j
  LEFT JOIN mine m USING (webhook_id, signature, subject)
  LEFT JOIN incoming_signatures s
    ON s.webhook_id = j.webhook_id
    AND s.signature = j.signature
    AND s.subject = j.subject
    AND s.expires_at >= statement_timestamp()
  ORDER BY j.nth
  `,
);

/** Stores the results of claimed requests. */
export const STORE_RESULTS = statement(
  'incoming_signatures.store_results',
  {
    params: {
      webhookIds: 'uuid[]',
      signatures: 'bytea[]',
      subjects: 'text[]',
      messageIds: 'uuid[]',
    },
    columns: {},
  },
  `
  UPDATE incoming_signatures s
  SET answered = true, message_id = g.message_id
  FROM unnest(
    :webhookIds::uuid[],
    :signatures::bytea[],
    :subjects::text[],
    :messageIds::uuid[]
  ) AS g(webhook_id, signature, subject, message_id)
  WHERE s.webhook_id = g.webhook_id AND s.signature = g.signature AND s.subject = g.subject
  `,
);

/** Deletes the claim of a request that was refused. */
export const RELEASE_SIGNATURE = statement(
  'incoming_signatures.release',
  `
  DELETE FROM incoming_signatures
  WHERE webhook_id = $1 AND signature = $2 AND subject = $3 AND NOT answered
  `,
  {},
);

/**
 * Lets an exact repeat take over the claim of a request whose result is unknown. The claim keeps
 * the message id, under which the message may still be stored.
 */
export const RELEASE_TO_REPEAT = statement(
  'incoming_signatures.release_to_repeat',
  `
  UPDATE incoming_signatures
  SET claimed_at = '-infinity'
  WHERE webhook_id = $1 AND signature = $2 AND subject = $3 AND NOT answered
  `,
  {},
);

import { nullable, statement } from '@tieline/platform/database';

const RULE = {
  spaceId: 'uuid',
  id: 'uuid',
  botId: 'uuid',
  tool: 'text',
  conversationId: nullable('uuid'),
  argumentsSha256: nullable('text'),
  createdBy: 'uuid',
  createdAt: 'timestamptz',
  expiresAt: nullable('timestamptz'),
} as const;

const COLUMNS = `
  space_id AS "spaceId",
  id,
  bot_id AS "botId",
  tool,
  conversation_id AS "conversationId",
  arguments_sha256 AS "argumentsSha256",
  created_by AS "createdBy",
  created_at AS "createdAt",
  expires_at AS "expiresAt"`;

/**
 * Finds the rule that approves a new approval, the narrowest first. `requestedBy` may not approve,
 * so their own rules do not count.
 */
export const MATCH_RULE = statement(
  'approval_rules.find_matching',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      tool: 'text',
      channelId: 'uuid',
      argumentsSha256: 'text',
      requestedBy: nullable('uuid'),
    },
    columns: RULE,
  },
  `
  SELECT ${COLUMNS}
  FROM approval_rules
  WHERE space_id = :spaceId
    AND bot_id = :botId
    AND tool = :tool
    AND (conversation_id IS NULL OR conversation_id = :channelId)
    AND (arguments_sha256 IS NULL OR arguments_sha256 = :argumentsSha256)
    AND (expires_at IS NULL OR expires_at > statement_timestamp())
    AND (:requestedBy::uuid IS NULL OR created_by <> :requestedBy)
  ORDER BY (arguments_sha256 IS NULL), (conversation_id IS NULL)
  LIMIT 1
  `,
);

/** Counts the rules of a bot, up to $3. */
export const COUNT_RULES = statement(
  'approval_rules.count_rules',
  `SELECT count(*)::int AS rules
   FROM (
     SELECT 1
     FROM approval_rules
     WHERE space_id = $1 AND bot_id = $2
     LIMIT $3
   ) few`,
  { rules: 'int4' },
);

/** Creates a rule, or renews the one with the same scope. */
export const SAVE_RULE = statement(
  'approval_rules.save_rule',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      tool: 'text',
      conversationId: nullable('uuid'),
      argumentsSha256: nullable('text'),
      createdBy: 'uuid',
      expiresInSeconds: nullable('int4'),
    },
    columns: RULE,
  },
  `
  INSERT INTO approval_rules (
    space_id,
    id,
    bot_id,
    tool,
    conversation_id,
    arguments_sha256,
    created_by,
    expires_at
  )
  VALUES (
    :spaceId,
    :id,
    :botId,
    :tool,
    :conversationId,
    :argumentsSha256,
    :createdBy,
    clock_timestamp() + :expiresInSeconds::int * interval '1 second'
  )
  ON CONFLICT (space_id, bot_id, tool, conversation_id, arguments_sha256) DO UPDATE
  SET
    created_by = excluded.created_by,
    expires_at = excluded.expires_at
  RETURNING ${COLUMNS}
  `,
);

/** Rules of a space, newest first, before an id. */
export const LIST_RULES = statement(
  'approval_rules.list_rules',
  `SELECT ${COLUMNS}
   FROM approval_rules
   WHERE space_id = $1 AND id < $2::uuid
   ORDER BY id DESC
   LIMIT $3::int`,
  RULE,
);

/** Deletes a rule and returns it. */
export const DELETE_RULE = statement(
  'approval_rules.delete_rule',
  `DELETE FROM approval_rules WHERE space_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
  RULE,
);

/** Deletes rules that have expired, at most $1, the oldest first. */
export const DROP_EXPIRED_RULES = statement(
  'approval_rules.drop_expired_rules',
  `DELETE FROM approval_rules
   WHERE ctid = ANY (ARRAY(
     SELECT ctid
     FROM approval_rules
     WHERE expires_at < statement_timestamp()
     ORDER BY expires_at
     LIMIT $1
     FOR UPDATE SKIP LOCKED
   ))
   RETURNING 1 AS n`,
  { n: 'int4' },
);

/** Deletes rules of deleted bots, at most $1. */
export const DROP_RULES_OF_DELETED_BOTS = statement(
  'approval_rules.drop_rules_of_deleted_bots',
  `DELETE FROM approval_rules
   WHERE ctid = ANY (ARRAY(
     SELECT r.ctid
     FROM approval_rules r
     JOIN bots b ON b.space_id = r.space_id AND b.id = r.bot_id
     WHERE b.deleted_at IS NOT NULL
     LIMIT $1
     FOR UPDATE OF r SKIP LOCKED
   ))
   RETURNING 1 AS n`,
  { n: 'int4' },
);

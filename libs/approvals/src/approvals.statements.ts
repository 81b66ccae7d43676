import { nullable, statement, text } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';
import { APPROVAL, COLUMNS } from './approval-columns.js';
import type { ApprovalState } from './states/approval.states.js';

/** Writes a transition and increments the sequence. The caller holds the row lock. */
export const CHANGE_APPROVAL = statement(
  'approvals.update_approval',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      state: text<ApprovalState>(),
      decisions: 'json',
      result: nullable('json'),
      ruleId: nullable('uuid'),
      reason: nullable('text'),
    },
    columns: APPROVAL,
  },
  `
  UPDATE approvals AS a
  SET
    state = :state,
    sequence = sequence + 1,
    decisions = :decisions,
    result = :result,
    rule_id = :ruleId,
    reason = :reason,
    updated_at = clock_timestamp(),
    ended_at = CASE WHEN :state <> 'pending' THEN clock_timestamp() END
  WHERE space_id = :spaceId AND id = :id
  RETURNING ${COLUMNS}
  `,
);

export const FIND_APPROVAL = statement(
  'approvals.find_approval',
  `SELECT ${COLUMNS} FROM approvals a WHERE a.space_id = $1 AND a.id = $2`,
  APPROVAL,
);

/** Locks an approval until the end of the transaction, with the time of the database. */
export const LOCK_APPROVAL = statement(
  'approvals.lock_approval',
  `SELECT
     ${COLUMNS},
     clock_timestamp() AS now
   FROM approvals a
   WHERE a.space_id = $1 AND a.id = $2
   FOR NO KEY UPDATE`,
  { ...APPROVAL, now: 'timestamptz' },
);

/** The approval that a bot created with an external id. */
export const FIND_BY_EXTERNAL_ID = statement(
  'approvals.find_by_external_id',
  `SELECT ${COLUMNS} FROM approvals a WHERE a.space_id = $1 AND a.bot_id = $2 AND a.external_id = $3`,
  APPROVAL,
);

/** The approvals of a space, newest first. */
export const LIST_APPROVALS = statement(
  'approvals.list_approvals',
  {
    params: {
      spaceId: 'uuid',
      state: nullable('text'),
      /** Only approvals before this id. */
      before: 'uuid',
      limit: 'int4',
    },
    columns: APPROVAL,
  },
  `
  SELECT ${COLUMNS}
  FROM approvals a
  WHERE a.space_id = :spaceId
    AND (:state::text IS NULL OR a.state = :state)
    AND a.id < :before::uuid
  ORDER BY a.id DESC
  LIMIT :limit::int
  `,
);

/** The approvals of a bot, newest first. */
export const LIST_OF_BOT = statement(
  'approvals.list_of_bot',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      state: nullable('text'),
      /** Only approvals before this id. */
      before: 'uuid',
      limit: 'int4',
    },
    columns: APPROVAL,
  },
  `
  SELECT ${COLUMNS}
  FROM approvals a
  WHERE a.space_id = :spaceId
    AND a.bot_id = :botId
    AND (:state::text IS NULL OR a.state = :state)
    AND a.id < :before::uuid
  ORDER BY a.id DESC
  LIMIT :limit::int
  `,
);

/**
 * The pending approvals that a person may decide, newest first: by name, as a member, and by role
 * in public channels. The same rule as `mayDecide`. An approval whose time is up no longer counts.
 * Reads the pending approvals of the space until the page is full.
 */
export const LIST_DECIDABLE = statement(
  'approvals.list_decidable',
  {
    params: {
      spaceId: 'uuid',
      userId: 'uuid',
      role: text<Role>(),
      /** Only approvals before this id. */
      before: 'uuid',
      limit: 'int4',
    },
    columns: APPROVAL,
  },
  `
  SELECT ${COLUMNS}
  FROM approvals a
  WHERE a.space_id = :spaceId
    AND a.state = 'pending'
    AND a.id < :before::uuid
    AND a.expires_at > statement_timestamp()
    AND a.requested_by IS DISTINCT FROM :userId
    AND (
      a.approver_ids @> ARRAY[:userId::uuid]
      OR (
        (
          a.approver_roles @> ARRAY[:role::text]
          OR (a.approver_ids = '{}' AND a.approver_roles = '{}' AND :role::text <> 'guest')
        )
        AND EXISTS (
          SELECT 1
          FROM conversation_members m
          WHERE m.space_id = :spaceId
            AND m.conversation_id = a.channel_id
            AND m.member_id = :userId
            AND m.member_type = 'user'
        )
      )
      OR (
        a.approver_roles @> ARRAY[:role::text]
        AND :role::text <> 'guest'
        AND EXISTS (
          SELECT 1
          FROM conversations c
          WHERE c.space_id = :spaceId AND c.id = a.channel_id AND c.scope = 'public'
        )
      )
    )
  ORDER BY a.id DESC
  LIMIT :limit::int
  `,
);

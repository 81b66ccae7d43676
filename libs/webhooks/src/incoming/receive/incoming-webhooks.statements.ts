import { nullable, statement, text } from '@tieline/platform/database';
import { LIVE_PREVIOUS_SECRET } from '@tieline/signing';
import type { Plan } from '@tieline/spaces';

/** Returns the webhooks with these token hashes, each with the plan and state of its space. */
export const WEBHOOKS_BY_TOKEN = statement(
  'incoming_webhooks.find_by_token',
  `
  SELECT
    w.token_hash AS "tokenHash",
    w.space_id AS "spaceId",
    w.id,
    w.name,
    w.conversation_id AS "conversationId",
    w.require_signature AS "requireSignature",
    w.default_push AS "defaultPush",
    w.avatar_url AS "avatarUrl",
    w.severity_from_color AS "severityFromColor",
    w.group_alerts AS "groupAlerts",
    coalesce(w.replay_protection, w.require_signature) AS "replayProtection",
    w.is_active AS "isActive",
    w.signing_secret AS "signingSecret",
    w.native_secret AS "nativeSecret",
    ${LIVE_PREVIOUS_SECRET} AS "previousSecret",
    w.consecutive_failures AS "consecutiveFailures",
    s.plan,
    s.is_active AS "spaceIsActive"
  FROM incoming_webhooks w
  JOIN spaces s ON s.id = w.space_id
  WHERE w.token_hash = ANY($1::bytea[]) AND w.deleted_at IS NULL
  `,
  {
    tokenHash: 'bytea',
    spaceId: 'uuid',
    id: 'uuid',
    name: 'text',
    conversationId: 'uuid',
    requireSignature: 'bool',
    defaultPush: 'bool',
    avatarUrl: 'text',
    severityFromColor: 'bool',
    groupAlerts: 'bool',
    replayProtection: 'bool',
    isActive: 'bool',
    signingSecret: 'bytea',
    nativeSecret: nullable('bytea'),
    previousSecret: nullable('bytea'),
    consecutiveFailures: 'int4',
    plan: text<Plan>(),
    spaceIsActive: 'bool',
  },
);

/** Counts a failure of an active webhook. Disables it when the count reaches $3. */
export const COUNT_FAILURE = statement(
  'incoming_webhooks.count_failure',
  `
  UPDATE incoming_webhooks
  SET
    consecutive_failures = consecutive_failures + 1,
    is_active = consecutive_failures + 1 < $3,
    updated_at = CASE WHEN consecutive_failures + 1 < $3 THEN updated_at ELSE clock_timestamp() END
  WHERE space_id = $1 AND id = $2 AND is_active AND deleted_at IS NULL
  RETURNING name, is_active AS "isActive"
  `,
  { name: 'text', isActive: 'bool' },
);

/** Resets the failure count. */
export const RESET_FAILURES = statement(
  'incoming_webhooks.reset_failures',
  `
  UPDATE incoming_webhooks
  SET consecutive_failures = 0
  WHERE space_id = $1 AND id = $2 AND is_active AND consecutive_failures > 0
  `,
  {},
);

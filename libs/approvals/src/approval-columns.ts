import { json, nullable, text } from '@tieline/platform/database';
import type { Column } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';
import type {
  ApprovalOption,
  ApprovalResult,
  ApprovalState,
  Decision,
  OnExpiry,
} from './states/approval.states.js';

/** Columns of an approval, of the table `a`. */
export const COLUMNS = `
  a.space_id AS "spaceId",
  a.id,
  a.bot_id AS "botId",
  a.external_id AS "externalId",
  a.fingerprint,
  a.conversation_id AS "conversationId",
  a.channel_id AS "channelId",
  a.message_id AS "messageId",
  a.state,
  a.sequence,
  a.title,
  a.text,
  a.tool,
  a.arguments,
  a.arguments_sha256 AS "argumentsSha256",
  a.options,
  a.form,
  a.approver_ids AS "approverIds",
  a.approver_roles AS "approverRoles",
  a.count,
  a.requested_by AS "requestedBy",
  a.on_expiry AS "onExpiry",
  a.agent_run_id AS "agentRunId",
  a.execution_task_id AS "executionTaskId",
  a.decisions,
  a.result,
  a.rule_id AS "ruleId",
  a.reason,
  a.expires_at AS "expiresAt",
  a.created_at AS "createdAt",
  a.updated_at AS "updatedAt"`;

const ROLES: Column<Role[]> = { type: 'text[]' };
const NULLABLE_JSON: Column<unknown> = { type: 'json', nullable: true };
const NULLABLE_RESULT: Column<ApprovalResult | null, string | null> = { type: 'json', nullable: true };

/** Their types. */
export const APPROVAL = {
  spaceId: 'uuid',
  id: 'uuid',
  botId: 'uuid',
  externalId: nullable('text'),
  fingerprint: 'bytea',
  conversationId: 'uuid',
  channelId: 'uuid',
  messageId: 'uuid',
  state: text<ApprovalState>(),
  sequence: 'int8',
  title: 'text',
  text: 'text',
  tool: nullable('text'),
  arguments: NULLABLE_JSON,
  argumentsSha256: nullable('text'),
  options: json<ApprovalOption[]>(),
  form: NULLABLE_JSON,
  approverIds: 'uuid[]',
  approverRoles: ROLES,
  count: 'int2',
  requestedBy: nullable('uuid'),
  onExpiry: text<OnExpiry>(),
  agentRunId: nullable('uuid'),
  executionTaskId: nullable('uuid'),
  decisions: json<Decision[]>(),
  result: NULLABLE_RESULT,
  ruleId: nullable('uuid'),
  reason: nullable('text'),
  expiresAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const;

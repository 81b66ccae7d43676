import { ModalDefinition } from '@tieline/interactive';
import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import type { Role } from '@tieline/platform/http';
import type { Approval } from './approval.js';
import { APPROVAL_STATES, ON_EXPIRY, OPTION_KINDS, VIAS } from './states/approval.states.js';
import type {
  ApprovalOption,
  ApprovalResult,
  ApprovalState,
  Decision,
  OnExpiry,
  OptionKind,
  Via,
} from './states/approval.states.js';

const USER = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const AT = '2026-01-31T09:05:00.456Z';

export class ApprovalOptionView implements ApprovalOption {
  @Field({ example: 'approve' })
  id: string;

  @Field({ example: 'Approve' })
  label: string;

  @Field({ example: 'primary', optional: true })
  style?: string;

  @Field({ enum: OPTION_KINDS, example: 'approve' })
  kind: OptionKind;
}

export class ApproversView {
  @Field({ example: [USER] })
  user_ids: string[];

  @Field({ enum: ['owner', 'admin', 'member', 'guest'], isArray: true, example: ['admin'] })
  roles: Role[];

  @Field({ example: 1, description: 'number of people who must approve' })
  count: number;
}

export class DecisionView implements Decision {
  @Field({ example: USER })
  user_id: string;

  @Field({ example: 'approve' })
  option_id: string;

  @Field({ enum: OPTION_KINDS, example: 'approve' })
  kind: OptionKind;

  @Field({ example: 'Tested on staging.', optional: true })
  comment?: string;

  @Field({ example: { window: 'tonight' }, optional: true, description: 'values of the form, by field id' })
  values?: Record<string, unknown>;

  @Field({ example: AT })
  at: string;

  @Field({ enum: VIAS, example: 'person' })
  via: Via;
}

export class ApprovalResultView implements ApprovalResult {
  @Field({ example: 'approve' })
  option_id: string;

  @Field({ enum: OPTION_KINDS, example: 'approve' })
  kind: OptionKind;

  @Field({ example: 'Tested on staging.', optional: true })
  comment?: string;

  @Field({ example: { window: 'tonight' }, optional: true, description: 'values of the form, by field id' })
  values?: Record<string, unknown>;

  @Field({ example: [USER], description: 'empty if the approval was denied by its expiry' })
  decided_by: string[];

  @Field({ example: AT })
  decided_at: string;
}

/** The approval object: docs/approvals.md#the-approval-object. */
export class ApprovalView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  id: string;

  @Field({ enum: APPROVAL_STATES, example: 'pending' })
  state: ApprovalState;

  @Field({ example: 1, description: 'increases with every change' })
  sequence: number;

  @Field({ example: '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41' })
  bot_id: string;

  @Field({ example: 'Deploy v1.4.2 to production?' })
  title: string;

  @Field({ example: '' })
  text: string;

  @Field({ example: 'deploy', nullable: true })
  tool: string | null;

  @Field({ example: { version: 'v1.4.2', target: 'production' }, nullable: true })
  arguments: Record<string, unknown> | null;

  @Field({
    example: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    nullable: true,
    description: 'SHA-256 of the canonical JSON (RFC 8785) of the arguments, in hexadecimal',
  })
  arguments_sha256: string | null;

  @Field({ type: ApprovalOptionView, isArray: true })
  options: ApprovalOptionView[];

  @Field({ example: { title: 'When?', fields: [] }, nullable: true, description: 'a validated modal' })
  form: Record<string, unknown> | null;

  @Field({ type: ApproversView })
  approvers: ApproversView;

  @Field({ type: DecisionView, isArray: true })
  decisions: DecisionView[];

  @Field({ type: ApprovalResultView, nullable: true })
  result: ApprovalResultView | null;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d72',
    optional: true,
    description: 'the rule that approved it, or that was created with the approval',
  })
  rule_id?: string;

  @Field({ example: 'deploy-4711', optional: true })
  external_id?: string;

  @Field({ example: USER, optional: true })
  requested_by?: string;

  @Field({ enum: ON_EXPIRY, example: 'expire' })
  on_expiry: OnExpiry;

  @Field({ example: 'The build failed.', optional: true, description: 'why the bot cancelled it' })
  reason?: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43', optional: true })
  agent_run_id?: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d44', optional: true })
  execution_task_id?: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42' })
  conversation_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d62', description: 'the message with the card' })
  message_id: string;

  @Field({ example: '2026-02-01T09:00:00.123Z' })
  expires_at: string;

  @Field({ example: '2026-01-31T09:00:00.123Z' })
  created_at: string;

  @Field({ example: '2026-01-31T09:00:00.123Z' })
  updated_at: string;
}

/** An approval as one person sees it. */
export class PersonalApprovalView extends ApprovalView {
  @Field({ example: true, description: 'whether the caller may decide it now' })
  may_decide: boolean;
}

export class ApprovalAnswer extends OkAnswer {
  @Field({ type: ApprovalView })
  approval: ApprovalView;
}

export class PersonalApprovalAnswer extends OkAnswer {
  @Field({ type: PersonalApprovalView })
  approval: PersonalApprovalView;
}

export class ApprovalsPage extends PageAnswer {
  @Field({ type: ApprovalView, isArray: true })
  approvals: ApprovalView[];
}

/** 409 with the approval, for a decision that came too late. */
class ApprovalDecidedError {
  @Field({ example: false })
  ok: false;

  @Field({ example: 'the approval is already decided' })
  error: string;

  @Field({ example: 'approval_decided' })
  code: string;

  @Field({ type: ApprovalView, optional: true, description: 'with code approval_decided' })
  approval?: ApprovalView;
}

/** Documents the 409 of a decided approval. */
export const ALREADY_DECIDED = {
  status: 409,
  description: 'the approval is already decided',
  type: ApprovalDecidedError,
  example: { ok: false, error: 'the approval is already decided', code: 'approval_decided' },
};

/** An approval on people's streams. */
export class StreamedApproval {
  @Field({ enum: ['approval.created', 'approval.updated'] })
  event: 'approval.created' | 'approval.updated';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42' })
  conversation_id: string;

  @Field({ type: ApprovalView })
  approval: ApprovalView;
}

/** Returns an approval as its bot sees it. */
export function approvalView(approval: Approval): ApprovalView {
  const { externalId, ruleId, requestedBy, reason, agentRunId, executionTaskId } = approval;
  return {
    id: approval.id,
    state: approval.state,
    sequence: approval.sequence,
    bot_id: approval.botId,
    title: approval.title,
    text: approval.text,
    tool: approval.tool,
    arguments: approval.arguments as Record<string, unknown> | null,
    arguments_sha256: approval.argumentsSha256,
    options: approval.options,
    form: approval.form as Record<string, unknown> | null,
    approvers: {
      user_ids: approval.approverIds,
      roles: approval.approverRoles,
      count: approval.count,
    },
    decisions: approval.decisions as DecisionView[],
    result: approval.result as ApprovalResultView | null,
    ...(ruleId !== null && { rule_id: ruleId }),
    ...(externalId !== null && { external_id: externalId }),
    ...(requestedBy !== null && { requested_by: requestedBy }),
    on_expiry: approval.onExpiry,
    ...(reason !== null && { reason }),
    ...(agentRunId !== null && { agent_run_id: agentRunId }),
    ...(executionTaskId !== null && { execution_task_id: executionTaskId }),
    conversation_id: approval.conversationId,
    message_id: approval.messageId,
    expires_at: approval.expiresAt.toISOString(),
    created_at: approval.createdAt.toISOString(),
    updated_at: approval.updatedAt.toISOString(),
  };
}

/** Returns an approval as people see it: without the form's private metadata. */
export function sharedView(approval: Approval): ApprovalView {
  const view = approvalView(approval);
  if (view.form === null) return view;
  return { ...view, form: ModalDefinition.stored(JSON.stringify(view.form), true).shown };
}

import type { RowOf } from '@tieline/platform/database';
import type { Role } from '@tieline/platform/http';
import type { FIND_APPROVAL } from './approvals.statements.js';
import type { ApprovalOption, OnExpiry } from './states/approval.states.js';

/** A row of `approvals`. */
export type Approval = RowOf<typeof FIND_APPROVAL>;

/** An approval to create. Absent texts are null. */
export interface NewApproval {
  conversationId: string;
  parentMessageId: string | null;
  title: string;
  text: string;
  tool: string | null;
  arguments: object | null;
  options: ApprovalOption[];
  form: Record<string, unknown> | null;
  approverIds: string[];
  approverRoles: Role[];
  count: number;
  requestedBy: string | null;
  expiresInSeconds: number;
  onExpiry: OnExpiry;
  externalId: string | null;
  agentRunId: string | null;
  executionTaskId: string | null;
  urgent: boolean;
}

/** The options of an approval without its own. */
export const DEFAULT_OPTIONS: readonly ApprovalOption[] = [
  { id: 'approve', label: 'Approve', style: 'primary', kind: 'approve' },
  { id: 'deny', label: 'Deny', style: 'danger', kind: 'deny' },
];

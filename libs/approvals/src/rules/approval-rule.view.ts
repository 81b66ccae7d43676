import { Field, PageAnswer } from '@tieline/platform/http';
import type { ApprovalRule } from './approval-rules.js';

/** A rule that approves approvals when they are created: docs/approvals.md#always. */
export class ApprovalRuleView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d72' })
  id: string;

  @Field({ example: '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41' })
  bot_id: string;

  @Field({ example: 'deploy' })
  tool: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
    nullable: true,
    description: 'null: all conversations',
  })
  conversation_id: string | null;

  @Field({
    example: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    nullable: true,
    description: 'null: all arguments; the hash of `{}` also matches absent arguments',
  })
  arguments_sha256: string | null;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41' })
  created_by: string;

  @Field({ example: '2026-01-31T09:05:00.456Z' })
  created_at: string;

  @Field({ example: '2026-07-31T09:05:00.456Z', optional: true })
  expires_at?: string;
}

export class ApprovalRulesPage extends PageAnswer {
  @Field({ type: ApprovalRuleView, isArray: true })
  approval_rules: ApprovalRuleView[];
}

/** Returns a rule as admins see it. */
export function ruleView(rule: ApprovalRule): ApprovalRuleView {
  return {
    id: rule.id,
    bot_id: rule.botId,
    tool: rule.tool,
    conversation_id: rule.conversationId,
    arguments_sha256: rule.argumentsSha256,
    created_by: rule.createdBy,
    created_at: rule.createdAt.toISOString(),
    ...(rule.expiresAt && { expires_at: rule.expiresAt.toISOString() }),
  };
}

import { APPROVAL_LOCKS } from '@tieline/background';
import type { Db, RowOf, Tx } from '@tieline/platform/database';
import { runInTx } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { ActingAdmin, ActingUser } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { NO_ARGUMENTS_SHA256 } from '../arguments/tool-arguments.js';
import type { Approval } from '../approval.js';
import { ruleInvalid, ruleNotFound, tooManyRules } from '../approvals.errors.js';
import { LOCK_CREATIONS } from '../creation/creation.statements.js';
import { approves } from '../states/approval.states.js';
import type { Decision } from '../states/approval.states.js';
import { COUNT_RULES, DELETE_RULE, LIST_RULES, MATCH_RULE, SAVE_RULE } from './rules.statements.js';

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Maximum number of rules of one bot. */
const MAX_RULES = 1000;

/** A row of `approval_rules`. null matches everything. */
export type ApprovalRule = RowOf<typeof LIST_RULES>;

/** The scope of a rule, as an admin chose it. Absent: that of the approval; null: everything. */
export interface RuleScope {
  conversationId?: string | null | undefined;
  argumentsSha256?: string | null | undefined;
  expiresInSeconds?: number | null | undefined;
}

/** Returns the hash that rules compare. Absent arguments count as `{}`. */
const comparedHash = ({ argumentsSha256 }: Pick<Approval, 'argumentsSha256'>): string =>
  argumentsSha256 ?? NO_ARGUMENTS_SHA256;

/** The parts of an approval that decide whether a rule approves it. */
type RuleQuestion = Pick<
  Approval,
  | 'spaceId'
  | 'botId'
  | 'tool'
  | 'channelId'
  | 'argumentsSha256'
  | 'requestedBy'
  | 'options'
  | 'form'
  | 'count'
>;

/** Returns the option that a rule chooses, the first one that approves once if there is one. */
const chosenByRule = (options: Approval['options']): Approval['options'][number] | undefined =>
  options.find(({ kind }) => kind === 'approve') ?? options.find(({ kind }) => approves(kind));

/**
 * Returns the rule that approves a new approval. Rules never replace several approvers or a form,
 * nor approve what their creator asked for (docs/approvals.md#always).
 */
export async function findRule(tx: Tx, approval: RuleQuestion): Promise<ApprovalRule | undefined> {
  const { spaceId, botId, tool, channelId, requestedBy, options, form, count } = approval;
  if (tool === null || form !== null || count > 1 || !chosenByRule(options)) return undefined;
  const asked = { spaceId, botId, tool, channelId, requestedBy };
  const [rule] = await tx.query(MATCH_RULE, { ...asked, argumentsSha256: comparedHash(approval) });
  return rule;
}

/** Returns the decision of a rule from {@link findRule}. */
export function decisionByRule(approval: Approval, rule: ApprovalRule): Decision {
  const option = chosenByRule(approval.options);
  if (!option) throw new Error('a rule cannot decide an approval without an option that approves');
  return {
    user_id: rule.createdBy,
    option_id: option.id,
    kind: option.kind,
    at: approval.createdAt.toISOString(),
    via: 'rule',
  };
}

/**
 * Creates the rule of an `approve_always` decision, in the transaction of the decision.
 *
 * @throws 400 a scope that does not match the approval; 409 the bot has too many rules
 */
export async function createRule(
  tx: Tx,
  admin: ActingUser,
  approval: Approval & { tool: string },
  scope: RuleScope,
): Promise<ApprovalRule> {
  const { spaceId, botId, tool, channelId, conversationId } = approval;
  const { conversationId: chosen = conversationId, argumentsSha256 = comparedHash(approval) } = scope;
  if (chosen !== null && chosen !== conversationId && chosen !== channelId)
    throw ruleInvalid('conversation_id', "must be the approval's conversation_id or null");
  if (argumentsSha256 !== null && argumentsSha256 !== comparedHash(approval))
    throw ruleInvalid('arguments_sha256', "must be the approval's arguments_sha256 or null");
  await tx.query(LOCK_CREATIONS, [APPROVAL_LOCKS, botId]);
  const [counted] = await tx.query(COUNT_RULES, [spaceId, botId, MAX_RULES]);
  if (counted && counted.rules >= MAX_RULES) throw tooManyRules();
  const [rule] = await tx.query(SAVE_RULE, {
    ...{ spaceId, botId, tool, argumentsSha256 },
    id: uuidv7(),
    // Threads count as their channel.
    conversationId: chosen === null ? null : channelId,
    createdBy: admin.userId,
    expiresInSeconds: scope.expiresInSeconds ?? null,
  });
  if (!rule) throw new Error('a saved rule is missing');
  await recordRule(tx, 'approval_rule.created', admin, rule);
  return rule;
}

/** Deletes a rule. Approvals that it has approved stay approved. @throws 404 unknown */
export async function deleteRule(db: Db, admin: ActingAdmin, id: string): Promise<void> {
  const { spaceId } = admin;
  await runInTx(
    db,
    async (tx) => {
      const [rule] = await tx.query(DELETE_RULE, [spaceId, id]);
      if (!rule) throw ruleNotFound();
      await recordRule(tx, 'approval_rule.deleted', admin, rule);
    },
    { spaceId, place: id },
  );
}

/** Returns the rules of a space, newest first. @throws 400 for a bad cursor */
export async function listRules(
  db: Db,
  spaceId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<ApprovalRule>> {
  const rows = await db.query(LIST_RULES, [spaceId, pageCursor(cursor) || LAST, limit + 1]);
  return pageOf(rows, limit, ({ id }) => id);
}

async function recordRule(
  tx: Tx,
  action: 'approval_rule.created' | 'approval_rule.deleted',
  { spaceId, origin }: ActingUser,
  rule: ApprovalRule,
): Promise<void> {
  const fields = {
    bot_id: rule.botId,
    tool: rule.tool,
    conversation_id: rule.conversationId,
    arguments_sha256: rule.argumentsSha256,
    expires_at: rule.expiresAt?.toISOString() ?? null,
  };
  const changes = changesBetween(null, fields);
  await recordChange(tx, {
    ...origin,
    ...{ spaceId, action, objectType: 'approval_rule', objectId: rule.id, changes },
  });
}

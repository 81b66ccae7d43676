import { Injectable } from '@nestjs/common';
import { checkReferences, ModalDefinition, validateValues } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { ActingUser } from '@tieline/spaces';
import { roleMay } from '@tieline/spaces';
import type { Approval } from '../approval.js';
import { lockApproval, rightsOf } from '../approval.queries.js';
import type { LockedApproval } from '../approval.queries.js';
import { sharedView } from '../approval.view.js';
import {
  alwaysNeedsAdmin,
  approvalDecided,
  approvalExpired,
  approvalNotFound,
  notAnApprover,
  optionUnknown,
  valuesRefused,
  valuesTooLarge,
} from '../approvals.errors.js';
import { ChangeApproval } from '../endings/change-approval.js';
import { AnnounceApprovals } from '../events/announce-approvals.js';
import { createRule } from '../rules/approval-rules.js';
import type { RuleScope } from '../rules/approval-rules.js';
import { decide } from '../states/approval.states.js';
import type { Decision, Transition } from '../states/approval.states.js';

const MAX_VALUES_BYTES = 16_384;

/** A decision as a person sends it. */
export interface NewDecision {
  optionId: string;
  comment?: string | undefined;
  /** Values of the form, by field id. */
  values: Readonly<Record<string, unknown>>;
  /** The scope of the rule, for options of kind `approve_always`. */
  rule: RuleScope;
}

/** Records decisions of people. */
@Injectable()
export class DecideApproval {
  constructor(
    private readonly db: Db,
    private readonly changeApproval: ChangeApproval,
    private readonly announce: AnnounceApprovals,
  ) {}

  /**
   * Records a person's decision: docs/approvals.md#decisions. A repeat of it changes nothing.
   * Concurrent decisions wait for each other, so that there is one result.
   *
   * @throws 400 unknown option, values that do not fit the form, a wrong scope. 403 not an
   * approver. 404 unknown. 409 decided, with the approval. 410 expired.
   */
  async run(person: ActingUser, id: string, given: NewDecision): Promise<Approval> {
    const { approval, isChanged } = await runInTx(
      this.db,
      async (tx) => {
        const locked = await lockApproval(tx, person.spaceId, id);
        if (!locked) throw approvalNotFound();
        if (!(await rightsOf(tx, person, locked)).mayDecide) throw notAnApprover();
        return this.decide(tx, person, locked, given);
      },
      { spaceId: person.spaceId, place: id },
    );
    if (isChanged) this.announce.updated(approval);
    return approval;
  }

  private async decide(
    tx: Tx,
    person: ActingUser,
    approval: LockedApproval,
    given: NewDecision,
  ): Promise<{ approval: Approval; isChanged: boolean }> {
    const option = approval.options.find(({ id }) => id === given.optionId);
    if (!option) throw optionUnknown();
    const isAlways = option.kind === 'approve_always';
    if (isAlways && !roleMay(person.role, 'administer')) throw alwaysNeedsAdmin();
    const decision: Decision = {
      user_id: person.userId,
      option_id: option.id,
      kind: option.kind,
      ...(given.comment !== undefined && { comment: given.comment }),
      at: approval.now.toISOString(),
      via: 'person',
    };
    const outcome = decide(approval, decision, approval.expiresAt <= approval.now);
    if (outcome.kind === 'repeated') return { approval, isChanged: false };
    if (outcome.kind === 'decided') throw approvalDecided(sharedView(approval));
    if (outcome.kind !== 'changed') throw approvalExpired();
    const values = option.kind === 'deny' ? undefined : await valuesOf(tx, person, approval, given.values);
    const rule =
      isAlways && approval.tool !== null
        ? await createRule(tx, person, { ...approval, tool: approval.tool }, given.rule)
        : undefined;
    const changed = await this.changeApproval.in(tx, approval, {
      to: withValues(outcome.to, person.userId, values),
      action: 'approval.decided',
      actor: { id: person.userId, type: 'user' },
      origin: person.origin,
      ruleId: rule?.id,
    });
    return { approval: changed, isChanged: true };
  }
}

/**
 * Returns the valid values of the form, or undefined without a form. @throws 400 with the errors
 */
async function valuesOf(
  tx: Tx,
  person: ActingUser,
  { form }: Approval,
  given: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (form === null) return undefined;
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_VALUES_BYTES) throw valuesTooLarge();
  const fields = ModalDefinition.stored(JSON.stringify(form), true).validated?.fields ?? [];
  const { values, errors } = validateValues(fields, given);
  const unusable = await checkReferences(tx, person, fields, values);
  const problems = { ...unusable, ...errors };
  if (Object.keys(problems).length > 0) throw valuesRefused(problems);
  return values;
}

function withValues(
  to: Transition,
  userId: string,
  values: Readonly<Record<string, unknown>> | undefined,
): Transition {
  if (values === undefined) return to;
  return {
    ...to,
    decisions: to.decisions.map((one) => (one.user_id === userId ? { ...one, values } : one)),
    result: to.result && { ...to.result, values },
  };
}

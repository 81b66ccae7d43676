import { Injectable } from '@nestjs/common';
import { EditMessage } from '@tieline/conversations';
import type { Actor } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import type { Approval } from '../approval.js';
import { CHANGE_APPROVAL } from '../approvals.statements.js';
import { cardMetadata, cardText } from '../card/card.js';
import { appendShown } from '../events/announce-approvals.js';
import { appendApprovalEvent, appendDecided, lockOccurrence } from '../events/approval-events.js';
import { isFinal } from '../states/approval.states.js';
import type { Transition } from '../states/approval.states.js';

export type ApprovalAction =
  | 'approval.requested'
  | 'approval.decided'
  | 'approval.expired'
  | 'approval.cancelled'
  | 'approval.rule_used';

/** A transition of an approval, and who caused it. */
export interface ApprovalChange {
  to: Transition;
  action: ApprovalAction;
  actor: Actor;
  origin: Origin;
  ruleId?: string | undefined;
  reason?: string | undefined;
}

/** Writes transitions of approvals. */
@Injectable()
export class ChangeApproval {
  constructor(private readonly editMessage: EditMessage) {}

  /**
   * Writes a transition and everything that follows from it: the card, the events, the audit log.
   * The caller holds the approval's row lock and has read it under the lock. Takes the
   * conversation's lock.
   */
  async in(tx: Tx, approval: Approval, change: ApprovalChange): Promise<Approval> {
    const { to, action, actor, ruleId, reason } = change;
    const [changed] = await tx.query(CHANGE_APPROVAL, {
      spaceId: approval.spaceId,
      id: approval.id,
      state: to.state,
      decisions: JSON.stringify(to.decisions),
      result: to.result && JSON.stringify(to.result),
      ruleId: ruleId ?? null,
      reason: reason ?? null,
    });
    if (!changed) throw new Error('a locked approval is missing');
    if (isFinal(changed.state)) await this.end(tx, changed, action, actor);
    await appendShown(tx, 'approval.updated', changed);
    await recordApproval(tx, change, { before: approval, after: changed });
    return changed;
  }

  private async end(tx: Tx, approval: Approval, action: ApprovalAction, actor: Actor): Promise<void> {
    // A card that was deleted stays deleted.
    await this.editMessage.in(tx, {
      spaceId: approval.spaceId,
      messageId: approval.messageId,
      editor: { id: approval.botId, type: 'bot' },
      text: cardText(approval),
      metadataJson: cardMetadata(approval),
      access: 'granted',
    });
    const occurrence = await lockOccurrence(tx, approval, actor);
    await appendApprovalEvent(tx, 'APPROVAL_DECIDED', approval, occurrence);
    if (action !== 'approval.cancelled') await appendDecided(tx, approval, occurrence);
  }
}

/** Writes an approval to the audit log: states, options and the hash, never the arguments. */
export async function recordApproval(
  tx: Tx,
  { action, origin }: Pick<ApprovalChange, 'action' | 'origin'>,
  { before, after }: { before: Approval | null; after: Approval },
): Promise<void> {
  await recordChange(tx, {
    ...origin,
    spaceId: after.spaceId,
    action,
    objectType: 'approval',
    objectId: after.id,
    changes: {
      ...changesBetween(before && auditedOf(before), auditedOf(after)),
      arguments_sha256: { from: before?.argumentsSha256 ?? null, to: after.argumentsSha256 },
    },
  });
}

function auditedOf(approval: Approval): Record<string, unknown> {
  return {
    bot_id: approval.botId,
    conversation_id: approval.conversationId,
    title: approval.title,
    tool: approval.tool,
    state: approval.state,
    decisions: approval.decisions.map(({ user_id, option_id, via }) => ({ user_id, option_id, via })),
    rule_id: approval.ruleId,
  };
}

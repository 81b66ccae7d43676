import type { MessageNotice } from '@tieline/conversations';
import type { Approval } from '../approval.js';
import { approves } from '../states/approval.states.js';
import { DEFAULT_ROLES, namesApprovers } from '../states/approvers.js';

/**
 * Returns whom a card notifies: its approvers, with a push unless they muted the conversation. The
 * push offers to approve and to deny where there is no form (docs/approvals.md#notifications).
 *
 * @param isUrgent whether it passes do-not-disturb and quiet hours
 */
export function noticeOf(approval: Approval, isUrgent: boolean): MessageNotice {
  const { id, form, options, approverIds, approverRoles, requestedBy } = approval;
  const approve = options.find(({ kind }) => kind === 'approve');
  const deny = options.find(({ kind }) => kind === 'deny');
  return {
    severity: isUrgent ? 'critical' : 'warning',
    default_push: true,
    mentions: [],
    channel: true,
    here: false,
    approval: {
      approval_id: id,
      actions: form
        ? []
        : [approve, deny].flatMap((option) =>
            option
              ? [
                  {
                    action: approves(option.kind) ? 'approve' : 'deny',
                    option_id: option.id,
                    title: option.label,
                  } as const,
                ]
              : [],
          ),
      user_ids: approverIds,
      roles: namesApprovers(approval) ? approverRoles : [...DEFAULT_ROLES],
      ...(requestedBy !== null && { except: requestedBy }),
    },
  };
}

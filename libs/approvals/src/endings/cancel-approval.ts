import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { ActingBot } from '@tieline/spaces';
import type { Approval } from '../approval.js';
import { lockOwnApproval } from '../approval.queries.js';
import { approvalView } from '../approval.view.js';
import { approvalDecided } from '../approvals.errors.js';
import { AnnounceApprovals } from '../events/announce-approvals.js';
import { cancel } from '../states/approval.states.js';
import { ChangeApproval } from './change-approval.js';

/** Cancels approvals of bots. */
@Injectable()
export class CancelApproval {
  constructor(
    private readonly db: Db,
    private readonly changeApproval: ChangeApproval,
    private readonly announce: AnnounceApprovals,
  ) {}

  /**
   * Cancels a pending approval. A repeat changes nothing.
   *
   * @throws 404 unknown; 403 another bot's; 409 decided or expired, with the approval
   */
  async run(bot: ActingBot, id: string, reason: string | undefined): Promise<Approval> {
    const { approval, isChanged } = await runInTx(
      this.db,
      async (tx) => {
        const locked = await lockOwnApproval(tx, bot, id);
        if (locked.state === 'cancelled') return { approval: locked, isChanged: false };
        if (locked.state !== 'pending') throw approvalDecided(approvalView(locked));
        const cancelled = await this.changeApproval.in(tx, locked, {
          to: cancel(locked),
          action: 'approval.cancelled',
          actor: { id: bot.botId, type: 'bot' },
          origin: bot.origin,
          reason,
        });
        return { approval: cancelled, isChanged: true };
      },
      { spaceId: bot.spaceId, place: id },
    );
    if (isChanged) this.announce.updated(approval);
    return approval;
  }
}

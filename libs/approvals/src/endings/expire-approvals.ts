import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { BY_SYSTEM } from '@tieline/spaces';
import type { Approval } from '../approval.js';
import { AnnounceApprovals } from '../events/announce-approvals.js';
import { expire } from '../states/approval.states.js';
import { ChangeApproval } from './change-approval.js';
import { FIND_DUE, LOCK_DUE } from './endings.statements.js';

const BATCH = 100;

/** Ends approvals whose time is up. */
@Injectable()
export class ExpireApprovals {
  constructor(
    private readonly db: Db,
    private readonly changeApproval: ChangeApproval,
    private readonly announce: AnnounceApprovals,
  ) {}

  /**
   * Ends every approval whose time is up, in a transaction each: docs/approvals.md#expiry. An
   * approval that is being changed, or cannot be ended, is left to the next execution.
   *
   * @returns the errors of approvals that could not be ended
   */
  async run(signal?: AbortSignal): Promise<unknown[]> {
    const errors: unknown[] = [];
    let after: { at: string; id: string } | undefined;
    while (!signal?.aborted) {
      const due = await this.db.query(FIND_DUE, {
        afterAt: after?.at ?? null,
        afterId: after?.id ?? null,
        limit: BATCH,
      });
      for (const { spaceId, id } of due)
        await this.expire(spaceId, id).catch((error: unknown) => errors.push(error));
      after = due.at(-1);
      if (due.length < BATCH) break;
    }
    return errors;
  }

  /** @returns undefined if it is being changed, or has ended since it was found */
  async expire(spaceId: string, id: string): Promise<Approval | undefined> {
    const expired = await runInTx(
      this.db,
      async (tx) => {
        const [locked] = await tx.query(LOCK_DUE, [spaceId, id]);
        if (!locked) return undefined;
        const deny = locked.options.find(({ kind }) => kind === 'deny');
        return this.changeApproval.in(tx, locked, {
          to: expire(locked, deny?.id, locked.now.toISOString()),
          action: 'approval.expired',
          actor: { id: locked.botId, type: 'bot' },
          origin: BY_SYSTEM,
        });
      },
      { spaceId, place: id },
    );
    if (expired) this.announce.updated(expired);
    return expired;
  }
}

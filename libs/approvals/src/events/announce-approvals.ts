import { Injectable } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { LiveEvents } from '@tieline/live-stream';
import type { Approval } from '../approval.js';
import { sharedView } from '../approval.view.js';

/** The bus channel of {@link ApprovalHint}s. */
export const APPROVALS_CHANNEL = 'approvals';

/** A hint that an approval has changed. The approval itself is in the table. */
export interface ApprovalHint {
  id: string;
}

/**
 * Announces changes of approvals to people's streams and to waiting requests. Stores nothing: after
 * a crash, clients read the approvals again, and waiting requests look by themselves. Call it after
 * the commit.
 */
@Injectable()
export class AnnounceApprovals {
  constructor(
    private readonly bus: Bus,
    private readonly live: LiveEvents,
  ) {}

  created(approval: Approval): void {
    this.show('approval.created', approval);
  }

  updated(approval: Approval): void {
    this.show('approval.updated', approval);
    this.bus.publish(APPROVALS_CHANNEL, { id: approval.id } satisfies ApprovalHint);
  }

  /** Shows it to the members of the conversation, and to the people that it names. */
  private show(event: 'approval.created' | 'approval.updated', approval: Approval): void {
    const { spaceId, channelId, conversationId, approverIds } = approval;
    const shown = { event, conversation_id: conversationId, approval: sharedView(approval) };
    this.live.toChannel(spaceId, channelId, shown);
    for (const userId of approverIds) this.live.toPerson(spaceId, userId, shown);
  }
}

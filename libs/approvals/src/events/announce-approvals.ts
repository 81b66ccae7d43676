import { Injectable } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { appendLiveEvent } from '@tieline/live-stream';
import type { Tx } from '@tieline/platform/database';
import type { Approval } from '../approval.js';
import { sharedView } from '../approval.view.js';

/** The bus channel of {@link ApprovalHint}s. */
export const APPROVALS_CHANNEL = 'approvals';

/** A hint that an approval has changed. The approval itself is in the table. */
export interface ApprovalHint {
  id: string;
}

/**
 * Tells waiting requests that an approval has changed. Stores nothing: after a crash, they look by
 * themselves. Call it after the commit.
 */
@Injectable()
export class AnnounceApprovals {
  constructor(private readonly bus: Bus) {}

  updated({ id }: Approval): void {
    this.bus.publish(APPROVALS_CHANNEL, { id } satisfies ApprovalHint);
  }
}

/** Shows an approval on the streams of the conversation's members and of the people it names. */
export async function appendShown(
  tx: Tx,
  event: 'approval.created' | 'approval.updated',
  approval: Approval,
): Promise<void> {
  const { spaceId, channelId, conversationId, approverIds } = approval;
  await appendLiveEvent(tx, {
    spaceId,
    channelId,
    personIds: approverIds,
    event: { event, conversation_id: conversationId, approval: sharedView(approval) },
  });
}

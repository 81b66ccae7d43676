import { Global, Injectable, Module } from '@nestjs/common';
import { MessageFeedback } from '@tieline/conversations';
import type { FeedbackView, JudgedMessage } from '@tieline/conversations';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { hasFeedbackButtons, sourceHasFeedbackButtons } from '../schema/components.js';
import { COUNT_CHOICES, DROP_CHOICES } from './feedback.statements.js';

/** Counts what people think of messages with feedback buttons: docs/agents.md#feedback. */
@Injectable()
class FeedbackOfPeople extends MessageFeedback {
  override async of(
    q: Queryable,
    { spaceId, userId }: UserPrincipal,
    messages: readonly JudgedMessage[],
  ): Promise<ReadonlyMap<string, FeedbackView>> {
    const ids = messages
      .filter((one) => hasFeedbackButtons(one.metadataJson) || sourceHasFeedbackButtons(one.sourceJson))
      .map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await q.query(COUNT_CHOICES, [spaceId, ids, userId]);
    const counted = new Map(
      rows.map(({ messageId, positive, negative, mine }) => [messageId, { positive, negative, mine }]),
    );
    return new Map(ids.map((id) => [id, counted.get(id) ?? { positive: 0, negative: 0, mine: 'none' }]));
  }

  override async drop(tx: Tx, spaceId: string, messageId: string): Promise<void> {
    await tx.query(DROP_CHOICES, [spaceId, messageId]);
  }
}

/**
 * Global because it provides a port of the chat core, a lower lib that cannot import this one. The
 * worker deletes messages, too.
 */
@Global()
@Module({
  providers: [{ provide: MessageFeedback, useClass: FeedbackOfPeople }],
  exports: [MessageFeedback],
})
export class MessageFeedbackModule {}

import type { Queryable, Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import type { FeedbackView } from '../events/feedback.view.js';

/** A stored message. */
export interface JudgedMessage {
  id: string;
  metadataJson: string | null;
  /** The message as a Slack app sent it. */
  sourceJson: string | null;
}

/** What people think of messages. Provided by the interactive lib. */
export abstract class MessageFeedback {
  /** Returns the feedback on those of the messages that ask for it, by their ids. */
  abstract of(
    q: Queryable,
    reader: UserPrincipal,
    messages: readonly JudgedMessage[],
  ): Promise<ReadonlyMap<string, FeedbackView>>;
  /**
   * Deletes the feedback on a message in the transaction that deletes the message. The caller has
   * marked the message as deleted.
   */
  abstract drop(tx: Tx, spaceId: string, messageId: string): Promise<void>;
}

import type { Queryable } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import type { FeedbackView } from '../events/feedback.view.js';

/** A message as it is stored. */
export interface JudgedMessage {
  id: string;
  metadataJson: string | null;
}

/** Reads what people think of messages. Provided by the interactive lib. */
export abstract class MessageFeedback {
  /** Returns the feedback on those of the messages that ask for it, by their ids. */
  abstract of(
    q: Queryable,
    reader: UserPrincipal,
    messages: readonly JudgedMessage[],
  ): Promise<ReadonlyMap<string, FeedbackView>>;
}

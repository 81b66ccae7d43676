import { FEEDBACK_CHOICES } from '@tieline/conversations';
import type { FeedbackChoice } from '@tieline/conversations';
import type { Queryable, Tx } from '@tieline/platform/database';
import { feedbackInvalid, fieldRequired } from '../interactive.errors.js';
import { FIND_CHOICE, STORE_CHOICE } from './feedback.statements.js';

/** A press of a feedback button. */
export interface FeedbackPress {
  messageId: string;
  userId: string;
  choice: FeedbackChoice;
}

/** What a person thinks of a message at the moment. */
export interface CurrentFeedback {
  choice: FeedbackChoice;
  /** How often they have changed it. */
  changes: number;
}

/** @throws 400 if it is missing or none of the choices */
export function requireFeedback(given: unknown): FeedbackChoice {
  if (given === undefined || given === null || given === '') throw fieldRequired('feedback');
  const choice = FEEDBACK_CHOICES.find((one) => one === given);
  if (choice === undefined) throw feedbackInvalid();
  return choice;
}

export async function findFeedback(
  q: Queryable,
  spaceId: string,
  { messageId, userId }: Pick<FeedbackPress, 'messageId' | 'userId'>,
): Promise<CurrentFeedback> {
  const [row] = await q.query(FIND_CHOICE, [spaceId, messageId, userId]);
  return row ?? { choice: 'none', changes: 0 };
}

/** Stores a choice, in the transaction that accepts the click. */
export async function storeFeedback(tx: Tx, spaceId: string, press: FeedbackPress): Promise<void> {
  await tx.query(STORE_CHOICE, { spaceId, ...press });
}

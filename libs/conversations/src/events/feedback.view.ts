import { Field } from '@tieline/platform/http';

export const FEEDBACK_CHOICES = ['positive', 'negative', 'none'] as const;
/** What a person thinks of a message; `none` after they withdrew it. */
export type FeedbackChoice = (typeof FEEDBACK_CHOICES)[number];

/** What people think of a message with feedback buttons. */
export class FeedbackView {
  @Field({ example: 3, description: 'number of people' })
  positive: number;

  @Field({ example: 1, description: 'number of people' })
  negative: number;

  @Field({ enum: FEEDBACK_CHOICES, description: "the caller's choice" })
  mine: FeedbackChoice;
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FEEDBACK_CHOICES } from '@tieline/conversations';
import type { FeedbackChoice } from '@tieline/conversations';
import { BodyExample } from '@tieline/platform/http';

/**
 * Body of POST /client/messages/{id}/interactions, for the API docs. `ClickValidator` reads the
 * fields itself, because the order of its checks is fixed and starts with the message.
 */
@BodyExample('a button', {
  action_id: 'deploy',
  signed_token: 's1.1795600000000.m3JXv0l0cS9Rj0hYkqk3k1Qy0bqC1g5Jr7bN6k0uXyE',
})
export class ClickDto {
  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'deploy' })
  action_id: string;

  @ApiProperty({
    description: 'the token of the element, copied from the message',
    example: 's1.1795600000000.m3JXv0l0cS9Rj0hYkqk3k1Qy0bqC1g5Jr7bN6k0uXyE',
  })
  signed_token: string;

  @ApiPropertyOptional({
    description: 'for elements with a single value: an option, a person, a conversation, a date or a time',
    example: 'live',
  })
  selected_value?: string;

  @ApiPropertyOptional({
    description: 'for every element except buttons; may be empty only for `multi_select` and `checkboxes`',
    example: ['live'],
    type: [String],
  })
  selected_values?: string[];

  @ApiPropertyOptional({
    description: 'for `feedback_buttons`: what the person thinks; `none` withdraws it',
    enum: FEEDBACK_CHOICES,
  })
  feedback?: FeedbackChoice;
}

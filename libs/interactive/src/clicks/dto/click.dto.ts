import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample } from '@tieline/platform/http';

/**
 * Body of POST /client/messages/{id}/interactions, as documented. `validateClick` reads its fields,
 * because the order in which a click is checked is fixed and begins with the message.
 */
@BodyExample('a button', {
  action_id: 'deploy',
  signed_token: 's1.1795600000000.m3JXv0l0cS9Rj0hYkqk3k1Qy0bqC1g5Jr7bN6k0uXyE',
})
export class ClickDto {
  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'deploy' })
  action_id: string;

  @ApiProperty({
    description: 'of that element, as the message shows it',
    example: 's1.1795600000000.m3JXv0l0cS9Rj0hYkqk3k1Qy0bqC1g5Jr7bN6k0uXyE',
  })
  signed_token: string;

  @ApiPropertyOptional({
    description:
      'of elements that one value is chosen in: an option, a person, a conversation, a date or a time',
    example: 'live',
  })
  selected_value?: string;

  @ApiPropertyOptional({
    description: 'of every element but buttons; an empty list only for `multi_select` and `checkboxes`',
    example: ['live'],
    type: [String],
  })
  selected_values?: string[];
}

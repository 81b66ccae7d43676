import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/*
 * How bodies look in the OpenAPI document. They are read by hand: the order of the checks of a click is decided, and a
 * bot's answer is read alike from a callback and from `respond`.
 */

/** Body of POST /client/messages/{id}/interactions. */
export class ClickDto {
  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'deploy' })
  action_id: string;

  @ApiProperty({
    description: 'of that element, as the message shows it',
    example: 's1.1795600000000.m3JXv0l0cS9Rj0hYkqk3k1Qy0bqC1g5Jr7bN6k0uXyE',
  })
  signed_token: string;

  @ApiPropertyOptional({ description: 'selects only: one of its values', example: 'live' })
  selected_value?: string;
}

/** Body of POST /client/modals/{modal_token}/submit. */
export class SubmitModalDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'field id to value; up to 64 KiB; absent: {}',
    example: { reason: 'Hotfix' },
  })
  values?: Record<string, unknown>;
}

/** A part that is left out is kept. */
export class UpdateMessageDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: 4000, example: 'Deployed by Ann' })
  text?: string;

  @ApiPropertyOptional({ description: 'JSON text; "" removes all blocks', example: '' })
  metadata_json?: string;
}

/** A new message in the conversation of the one that was clicked. */
export class SendMessageDto {
  @ApiProperty({ minLength: 1, maxLength: 4000, example: 'Build 4711 is being deployed' })
  text: string;

  @ApiPropertyOptional({ description: 'JSON text' })
  metadata_json?: string;
}

/** Body of POST /bot/interactions/{interaction_id}/respond, and what a callback answers: exactly one of the five. */
export class RespondDto {
  @ApiPropertyOptional({ type: UpdateMessageDto })
  update_message?: UpdateMessageDto;

  @ApiPropertyOptional({ type: SendMessageDto })
  send_message?: SendMessageDto;

  @ApiPropertyOptional({ minLength: 1, maxLength: 4000, description: 'for the person alone' })
  ephemeral_text?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'passed on as it is: title, submit_label, fields of {id, type: text | textarea | select | checkbox, label, required}',
  })
  open_modal?: Record<string, unknown>;

  @ApiPropertyOptional({ enum: [true] })
  noop?: boolean;
}

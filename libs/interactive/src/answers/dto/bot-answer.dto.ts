import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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

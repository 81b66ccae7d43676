import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';
import { BodyExample, Convert, emptyAsAbsent, IsText, IsUuid } from '@tieline/platform/http';

/** Body of POST /client/conversations/{id}/commands. */
@BodyExample('with arguments', { text: '/deploy api v1.4.2' })
export class InvokeCommandDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 4000,
    description: '`/name`, optionally followed by a space and arguments',
    example: '/deploy api v1.4.2',
  })
  @IsText(1, 4000)
  text: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'values keyed by option name, instead of arguments in `text`',
    example: { stage: 'live', count: 2 },
  })
  @IsOptional()
  @IsObject()
  options?: Record<string, unknown>;

  @ApiPropertyOptional({ format: 'uuid', description: 'a message; the command runs in its thread' })
  @IsOptional()
  @IsUuid()
  @Convert(emptyAsAbsent)
  thread_id?: string;
}

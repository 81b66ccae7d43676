import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { IsText, IsUuid } from '@tieline/platform/http';

/** How the body of POST /bots/{bot_id}/commands looks in the OpenAPI document; it is read by `command-body.ts`. */
export class RegisterCommandDto {
  @ApiProperty({
    pattern: '^[a-z][a-z0-9_-]*$',
    minLength: 1,
    maxLength: 32,
    description: 'without the slash; unique in the space',
    example: 'deploy',
  })
  name: string;

  @ApiPropertyOptional({ maxLength: 200, example: 'Deploys a service' })
  description?: string;

  @ApiPropertyOptional({ maxLength: 100, example: '<service> [version]' })
  usage_hint?: string;

  @ApiPropertyOptional({
    maxLength: 2048,
    description: 'HTTPS and public; required unless the bot is in poll mode',
    example: 'https://example.com/slash',
  })
  callback_url?: string;
}

/** Null and "" count as absent. */
const emptyAsAbsent = ({ value }: { value: unknown }): unknown =>
  value === '' || value === null ? undefined : value;

/** Body of POST /client/conversations/{id}/commands. */
export class InvokeCommandDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 4000,
    description: '`/name`, or `/name` and after one space its arguments',
    example: '/deploy api v1.4.2',
  })
  @IsText(1, 4000)
  text: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'a message: the command is given in its thread' })
  @IsOptional()
  @IsUuid()
  @Transform(emptyAsAbsent)
  thread_id?: string;
}

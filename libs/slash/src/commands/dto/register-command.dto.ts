import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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

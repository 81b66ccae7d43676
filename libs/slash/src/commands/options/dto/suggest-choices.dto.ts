import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsText } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';
import { MAX_OPTION_TEXT } from '../command-option.js';

const MAX_NAME = 32;

/** Body of POST /client/conversations/{id}/commands/options. */
@BodyExample('some letters', { command: 'deploy', option: 'version', typed: 'v1.' })
export class SuggestChoicesDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, description: 'without the slash', example: 'deploy' })
  @IsText(1, MAX_NAME)
  command: string;

  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'version' })
  @IsText(1, MAX_NAME)
  option: string;

  @ApiPropertyOptional({
    maxLength: MAX_OPTION_TEXT,
    description: 'text typed so far; default ""',
    example: 'v1.',
  })
  @IsOptional()
  @IsText(0, MAX_OPTION_TEXT)
  typed?: string;
}

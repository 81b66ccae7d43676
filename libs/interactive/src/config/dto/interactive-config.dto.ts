import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '@tieline/platform/http';

/** Body of PATCH /bot/interactive_config. */
export class InteractiveConfigDto {
  @ApiProperty({
    maxLength: 2048,
    description: 'HTTPS and public: where clicks are POSTed',
    example: 'https://example.com/clicks',
  })
  @IsText(1, 2048, 'callback_url must be an HTTPS URL')
  callback_url: string;
}

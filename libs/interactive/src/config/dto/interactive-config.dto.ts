import { ApiProperty } from '@nestjs/swagger';
import { BodyExample, IsText } from '@tieline/platform/http';

/** Body of PATCH /bot/interactive_config. */
@BodyExample('an address', { callback_url: 'https://example.com/clicks' })
export class InteractiveConfigDto {
  @ApiProperty({
    maxLength: 2048,
    description: 'public HTTPS address that clicks are POSTed to',
    example: 'https://example.com/clicks',
  })
  @IsText(1, 2048, 'callback_url must be an HTTPS URL')
  callback_url: string;
}

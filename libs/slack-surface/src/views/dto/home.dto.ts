import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsRequired, IsText } from '@tieline/platform/http';
import { IsArray, IsOptional } from 'class-validator';
import { MAX_VIEW_BLOCKS } from '../../blocks/read-blocks.js';

const MAX_HASH = 40;

/** Body of PUT /bot/homes/{user_id}. */
@BodyExample('a text and a button', {
  blocks: [
    {
      type: 'section',
      block_id: 'deploy',
      text: { type: 'mrkdwn', text: '*v1.4.2* is live' },
      accessory: { type: 'button', action_id: 'start', text: { type: 'plain_text', text: 'Deploy' } },
    },
  ],
})
export class PublishHomeDto {
  /** Validated by `readHome`. */
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    maxItems: MAX_VIEW_BLOCKS,
    description: 'blocks of Block Kit; an empty list shows an empty home',
  })
  @IsArray()
  @IsRequired()
  blocks: unknown[];

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_HASH,
    description: 'of the version to replace; by default any',
    example: '1.5b1c0d41',
  })
  @IsOptional()
  @IsText(1, MAX_HASH)
  hash?: string | null;
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, bodyReader } from '@tieline/platform/http';
import { Allow, IsString, MaxLength } from 'class-validator';

const MAX_ID = 255;
const MAX_QUERY = 150;

/** Names an element of `app_blocks`. */
class BlockElementDto {
  @ApiProperty({ maxLength: MAX_ID, example: 'deploy' })
  @MaxLength(MAX_ID)
  @IsString()
  block_id: string;

  @ApiProperty({ maxLength: MAX_ID, example: 'start' })
  @MaxLength(MAX_ID)
  @IsString()
  action_id: string;
}

/** Body of POST …/messages/{id}/block_actions. */
@BodyExample('a select', {
  block_id: 'deploy',
  action_id: 'target',
  value: { selected_option: { value: 'live' } },
})
export class BlockActionDto extends BlockElementDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      "what was chosen, with Slack's field for the element, such as `selected_option`; " +
      '`{"value": null}` withdraws the choice on feedback buttons',
    example: { selected_option: { value: 'live' } },
  })
  @Allow()
  value?: unknown;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'values of all elements, by `block_id` and `action_id`; others have their initial value',
    example: { deploy: { target: { selected_option: { value: 'live' } } } },
  })
  @Allow()
  state?: unknown;
}

/** Body of POST …/messages/{id}/block_options. */
@BodyExample('a typed text', { block_id: 'deploy', action_id: 'version', query: 'v1' })
export class BlockOptionsDto extends BlockElementDto {
  @ApiProperty({ maxLength: MAX_QUERY, description: 'what the person typed', example: 'v1' })
  @MaxLength(MAX_QUERY)
  @IsString()
  query: string;
}

/** @throws 400 */
export const readBlockAction = bodyReader(BlockActionDto);
/** @throws 400 */
export const readBlockOptions = bodyReader(BlockOptionsDto);

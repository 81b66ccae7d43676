import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, bodyReader } from '@tieline/platform/http';
import { Allow, IsBoolean, IsOptional } from 'class-validator';

/** Body of POST /client/views/{id}/submit. */
@BodyExample('one input', { state: { name: { input: { value: 'Ann' } } } })
export class SubmitViewDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'values of all elements, by `block_id` and `action_id`; others have their initial value',
    example: { name: { input: { value: 'Ann' } } },
  })
  @Allow()
  state?: unknown;
}

/** Body of POST /client/views/{id}/close. */
@BodyExample('all views', { clear: true })
export class CloseViewDto {
  @ApiPropertyOptional({ type: Boolean, description: 'true closes all views of the stack; default false' })
  @IsBoolean()
  @IsOptional()
  clear?: boolean | null;
}

/** @throws 400 */
export const readSubmission = bodyReader(SubmitViewDto);
/** @throws 400 */
export const readClosing = bodyReader(CloseViewDto);

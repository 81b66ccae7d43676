import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample } from '@tieline/platform/http';

/**
 * Body of POST /client/modals/{modal_token}/submit, as documented. The values are validated after the
 * modal is.
 */
@BodyExample('a form of one field', { values: { reason: 'Hotfix' } })
export class SubmitModalDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'field id to value; up to 64 KiB; absent: {}',
    example: { reason: 'Hotfix' },
  })
  values?: Record<string, unknown>;
}

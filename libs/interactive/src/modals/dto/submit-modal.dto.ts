import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample } from '@tieline/platform/http';

/**
 * Body of POST /client/modals/{modal_token}/submit, for the API docs. The values are checked after
 * the modal itself.
 */
@BodyExample('a form with one field', { values: { reason: 'Hotfix' } })
export class SubmitModalDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'values keyed by field id, up to 64 KiB; default {}',
    example: { reason: 'Hotfix' },
  })
  values?: Record<string, unknown>;
}

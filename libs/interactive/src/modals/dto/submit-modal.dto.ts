import { ApiPropertyOptional } from '@nestjs/swagger';

/** Body of POST /client/modals/{modal_token}/submit, as documented. The values are judged after the modal is. */
export class SubmitModalDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'field id to value; up to 64 KiB; absent: {}',
    example: { reason: 'Hotfix' },
  })
  values?: Record<string, unknown>;
}

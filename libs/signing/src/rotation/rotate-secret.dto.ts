import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, bodyReader } from '@tieline/platform/http';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const MAX_OVERLAP_SECONDS = 604_800;
const MESSAGE = `overlap_seconds must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}`;

/** Optional body of every `…/rotate_secret`. */
@BodyExample('with an hour for the change', { overlap_seconds: 3600 })
export class RotateSecretDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: 0,
    description: 'how long the current secret stays valid beside the new one',
  })
  @IsOptional()
  @Max(MAX_OVERLAP_SECONDS, { message: MESSAGE })
  @Min(0, { message: MESSAGE })
  @IsInt({ message: MESSAGE })
  overlap_seconds?: number;
}

const read = bodyReader(RotateSecretDto);

/** Returns for how many seconds the current secret stays valid; 0 by default. @throws 400 */
export function overlapOf(body: object | undefined): number {
  return read(body ?? {}).overlap_seconds ?? 0;
}

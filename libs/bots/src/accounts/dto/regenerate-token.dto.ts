import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { BodyExample } from '@tieline/platform/http';

/**
 * Body of POST /admin/bots/{id}/regenerate_token, which may be absent (decisions, section 11.1).
 */
@BodyExample('and nothing else', { reset: false })
export class RegenerateTokenDto {
  @ApiPropertyOptional({
    default: false,
    description:
      'true: also clears push and callback addresses, makes commands inactive and gives new secrets, for a token that was stolen',
  })
  @IsOptional()
  @IsBoolean()
  reset?: boolean;
}

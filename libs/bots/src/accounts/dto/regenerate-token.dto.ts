import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { BodyExample } from '@tieline/platform/http';

/** Body of POST /admin/bots/{id}/regenerate_token. The body is optional. */
@BodyExample('token only', { reset: false })
export class RegenerateTokenDto {
  @ApiPropertyOptional({
    default: false,
    description:
      'true, for a stolen token: also clears push and callback addresses, disables commands and replaces secrets',
  })
  @IsOptional()
  @IsBoolean()
  reset?: boolean;
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';

/** Body of POST /admin/bots/{id}/regenerate_token, which may be absent (decisions, section 11.1). */
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

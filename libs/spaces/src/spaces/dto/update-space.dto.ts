import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { BodyExample, IsOneLine } from '@tieline/platform/http';
import { PLANS } from '../space.entity.js';
import type { Plan } from '../space.entity.js';

@BodyExample('another plan', { plan: 'pro' })
export class UpdateSpaceDto {
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 100 })
  @IsOptional()
  @IsOneLine(100)
  name?: string | null;

  @ApiPropertyOptional({ enum: PLANS })
  @IsOptional()
  @IsIn(PLANS)
  plan?: Plan | null;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'false: all tokens of the space are refused and nothing is delivered',
  })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean | null;
}

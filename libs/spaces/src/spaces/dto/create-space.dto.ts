import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { BodyExample, IsOneLine } from '@tieline/platform/http';
import { PLANS } from '../space.entity.js';
import type { Plan } from '../space.entity.js';

@BodyExample('a space', { name: 'Acme' })
export class CreateSpaceDto {
  @ApiProperty({ minLength: 1, maxLength: 100, example: 'Acme' })
  @IsOneLine(100)
  name: string;

  @ApiPropertyOptional({ enum: PLANS, default: 'free' })
  @IsOptional()
  @IsIn(PLANS)
  plan?: Plan | null;
}

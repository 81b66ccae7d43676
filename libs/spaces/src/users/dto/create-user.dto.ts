import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { BodyExample, IsOneLine } from '@tieline/platform/http';
import { ROLES } from '../roles.js';
import type { Role } from '../roles.js';
import { EMAIL_OR_EMPTY, IsEmailOrEmpty } from './user-fields.js';
import { MAX_DISPLAY_NAME } from './name.js';

@BodyExample('a member', { display_name: 'Ada' })
export class CreateUserDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_DISPLAY_NAME, example: 'Ada' })
  @IsOneLine(MAX_DISPLAY_NAME)
  display_name: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: 254,
    pattern: EMAIL_OR_EMPTY.source,
    example: 'ada@example.com',
  })
  @IsOptional()
  @IsEmailOrEmpty()
  email?: string | null;

  @ApiPropertyOptional({ enum: ROLES, default: 'member' })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role | null;

  @ApiPropertyOptional({ type: Boolean, default: true })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean | null;
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { BodyExample, IsOneLine } from '@tieline/platform/http';
import { ROLES } from '../roles.js';
import type { Role } from '../roles.js';
import { EMAIL_OR_EMPTY, IsEmailOrEmpty } from './user-fields.js';
import { MAX_DISPLAY_NAME } from './name.js';

@BodyExample('another name', { display_name: 'Ada' })
export class UpdateUserDto {
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_DISPLAY_NAME })
  @IsOptional()
  @IsOneLine(MAX_DISPLAY_NAME)
  display_name?: string | null;

  @ApiPropertyOptional({
    type: String,
    maxLength: 254,
    pattern: EMAIL_OR_EMPTY.source,
    description: 'empty: none',
  })
  @IsOptional()
  @IsEmailOrEmpty()
  email?: string | null;

  @ApiPropertyOptional({ enum: ROLES })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role | null;

  @ApiPropertyOptional({ type: Boolean, description: "false: the person's token is refused" })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean | null;
}

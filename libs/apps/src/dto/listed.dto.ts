import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '@tieline/platform/http';
import { IsBoolean } from 'class-validator';

/** Body of PATCH /operator/apps/{id}. */
@BodyExample('into the directory', { listed: true })
export class ListedDto {
  @ApiProperty({ type: Boolean, description: 'true: every space sees the app and can install it' })
  @IsBoolean()
  listed: boolean;
}

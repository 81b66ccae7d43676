import { ApiProperty } from '@nestjs/swagger';
import { IsUuid } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

/** Body of `PUT /api/v1/client/focus`. */
export class FocusDto {
  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'null: at nothing in particular',
  })
  @IsOptional()
  @IsUuid()
  conversation_id: string | null = null;
}

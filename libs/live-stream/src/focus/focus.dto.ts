import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsUuid } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

/** Body of `PUT /api/v1/client/focus`. */
@BodyExample('at a channel', { conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class FocusDto {
  @ApiPropertyOptional({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'null or absent: no conversation',
  })
  @IsOptional()
  @IsUuid()
  conversation_id: string | null = null;
}

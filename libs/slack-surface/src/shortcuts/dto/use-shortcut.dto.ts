import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsUuid } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

/** Body of POST /client/shortcuts/{id}. */
@BodyExample('a message', { message_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42' })
export class UseShortcutDto {
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'the message; required for a shortcut of type `message`, and only there',
  })
  @IsOptional()
  @IsUuid()
  message_id?: string | null;
}

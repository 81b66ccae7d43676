import { ApiProperty } from '@nestjs/swagger';
import { IsUuid } from '@tieline/platform/http';

/** Body of POST /bot/dm. */
export class OpenDmDto {
  @ApiProperty({ format: 'uuid', description: "a person of the bot's space" })
  @IsUuid()
  user_id: string;
}

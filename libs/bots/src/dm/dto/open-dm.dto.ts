import { ApiProperty } from '@nestjs/swagger';
import { BodyExample, IsUuid } from '@tieline/platform/http';

/** Body of POST /bot/dm. */
@BodyExample('with a person', { user_id: '0190f2a4-7c1b-7000-8000-00000000a001' })
export class OpenDmDto {
  @ApiProperty({ format: 'uuid', description: "a person of the bot's space" })
  @IsUuid()
  user_id: string;
}

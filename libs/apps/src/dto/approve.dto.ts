import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsUuid } from '@tieline/platform/http';
import { ArrayMaxSize, IsArray, IsOptional } from 'class-validator';

const MAX_CHANNELS = 1000;

/**
 * Optional body of POST /client/oauth/interactions/{uid}/approve and
 * /admin/app_requests/{id}/approve.
 */
@BodyExample('all channels', {})
export class ApproveDto {
  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_CHANNELS,
    description:
      'channels that the bot of the app is limited to, only by admins; empty: all; absent: as before, or all',
  })
  @IsOptional()
  @IsUuid({ each: true })
  @ArrayMaxSize(MAX_CHANNELS)
  @IsArray()
  channel_ids?: string[] | null;
}

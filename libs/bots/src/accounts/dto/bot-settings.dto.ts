import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { RETRY_PROFILES } from '@tieline/delivery';
import type { RetryProfile } from '@tieline/delivery';
import { BodyExample, IsHttpsUrl, IsOneLine, IsUuid } from '@tieline/platform/http';
import { EVENT_DELIVERY_MODES } from '../bot-settings.js';
import type { BotSettings, EventDeliveryMode } from '../bot-settings.js';
import { IsEventTypes, SUBSCRIBABLE_EVENT_TYPES } from '../../events/dto/event-types.js';

const MODE_MESSAGE = `event_delivery_mode must be one of ${EVENT_DELIVERY_MODES.join(', ')}`;
const MAX_CHANNELS = 1000;
const MAX_NAME = 64;

/** Settings that the bot and admins may change. */
class OwnSettingsDto {
  @ApiPropertyOptional({ description: 'HTTPS, or empty', example: 'https://example.com/deploy.png' })
  @IsOptional()
  @IsHttpsUrl({ orEmpty: true })
  avatar_url?: string;

  @ApiPropertyOptional({ enum: EVENT_DELIVERY_MODES, description: '`webhook` needs a stored webhook_url' })
  @IsOptional()
  @IsIn(EVENT_DELIVERY_MODES, { message: MODE_MESSAGE })
  event_delivery_mode?: EventDeliveryMode;
}

/** Settings that only admins may change. */
class AdminSettingsDto extends OwnSettingsDto {
  @ApiPropertyOptional({
    enum: SUBSCRIBABLE_EVENT_TYPES,
    isArray: true,
    description: 'empty: only direct events',
  })
  @IsOptional()
  @IsEventTypes()
  event_types?: string[];

  @ApiPropertyOptional({ type: [String], format: 'uuid', description: 'empty: all channels of the space' })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_CHANNELS)
  @IsUuid({ each: true })
  channel_ids?: string[];

  @ApiPropertyOptional({
    description: 'HTTPS and public; empty clears it',
    example: 'https://example.com/events',
  })
  @IsOptional()
  @IsString()
  @MaxLength(2048)
  webhook_url?: string;

  @ApiPropertyOptional({
    enum: RETRY_PROFILES,
    default: 'contract',
    description: 'retries of its pushes; extended: 12 attempts over more than two days',
  })
  @IsOptional()
  @IsIn(RETRY_PROFILES, { message: `retry_profile must be one of ${RETRY_PROFILES.join(', ')}` })
  retry_profile?: RetryProfile;

  @ApiPropertyOptional({ description: 'false: its token is rejected and nothing is delivered' })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;
}

/** Body of PATCH /bot/me. Absent and null fields keep their values. */
@BodyExample('events by polling', { event_delivery_mode: 'poll' })
export class UpdateBotSelfDto extends OwnSettingsDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: 64, example: 'Deploy bot' })
  @IsOptional()
  @IsOneLine(MAX_NAME)
  display_name?: string;
}

/** Body of PATCH /admin/bots/{id}. Absent and null fields keep their values. */
@BodyExample('events by polling', { event_delivery_mode: 'poll' })
export class UpdateBotDto extends AdminSettingsDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: 64, example: 'Deploy bot' })
  @IsOptional()
  @IsOneLine(MAX_NAME)
  display_name?: string;
}

/** Body of POST /admin/bots. */
@BodyExample('a bot', { display_name: 'Deploy bot' })
export class CreateBotDto extends AdminSettingsDto {
  @ApiProperty({ minLength: 1, maxLength: 64, example: 'Deploy bot' })
  @IsOneLine(MAX_NAME)
  display_name: string;
}

/** Returns the settings that a body contains. Absent and null ones are undefined. */
export function settingsOf(body: UpdateBotSelfDto | UpdateBotDto | CreateBotDto): Partial<BotSettings> {
  const all: UpdateBotDto = body;
  return {
    displayName: all.display_name ?? undefined,
    avatarUrl: all.avatar_url ?? undefined,
    isActive: all.is_active ?? undefined,
    eventTypes: distinct(all.event_types),
    channelIds: distinct(all.channel_ids),
    eventDeliveryMode: all.event_delivery_mode ?? undefined,
    webhookUrl: all.webhook_url ?? undefined,
    retryProfile: all.retry_profile ?? undefined,
  };
}

function distinct(values: string[] | null | undefined): string[] | undefined {
  return values ? [...new Set(values)] : undefined;
}

import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  PartialType,
} from '@nestjs/swagger';
import { RETRY_PROFILES } from '@tieline/delivery';
import type { RetryProfile } from '@tieline/delivery';
import { BodyExample, IsOneLine, IsUuid } from '@tieline/platform/http';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { SUBSCRIBABLE_EVENT_TYPES } from '../../planning/event-types.js';
import { PAYLOADS } from '../../planning/thin-data.js';
import type { Payload } from '../../planning/thin-data.js';
import type {
  SettingsInput,
  NewSubscription,
  SubscriptionStatus,
} from '../settings/subscription-settings.js';
import { TRIGGERS } from '../settings/trigger-config.js';
import type { Trigger } from '../settings/trigger-config.js';
import { KeywordsConfigDto, MentionConfigDto } from './trigger-config.dto.js';

const STATUSES = ['active', 'inactive'] as const;
const MAX_CHANNELS = 1000;
const CONTEXT_SIZE = 'context_size must be a whole number from 1 to 50';
const EVENT_TYPES = `event_types must be a list of at least one of ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}`;
const trimmed = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() : value;

/** Body of POST /api/v1/admin/outgoing_webhooks. */
@ApiExtraModels(KeywordsConfigDto, MentionConfigDto)
@BodyExample('new messages', {
  name: 'Deploy log',
  url: 'https://receiver.example/hook',
  event_types: ['MESSAGE_CREATED'],
})
export class CreateOutgoingWebhookDto {
  @ApiProperty({ minLength: 1, maxLength: 100, example: 'Deploy log' })
  @Transform(trimmed)
  @IsOneLine(100)
  name: string;

  @ApiProperty({ example: 'https://receiver.example/hook' })
  @MaxLength(2048, { message: 'url must have up to 2048 characters' })
  @IsString({ message: 'url must be an HTTPS URL' })
  url: string;

  @ApiProperty({ isArray: true, enum: SUBSCRIBABLE_EVENT_TYPES, example: ['MESSAGE_CREATED'] })
  @IsIn(SUBSCRIBABLE_EVENT_TYPES, { each: true, message: EVENT_TYPES })
  @ArrayMinSize(1, { message: EVENT_TYPES })
  @IsArray({ message: EVENT_TYPES })
  event_types: string[];

  @ApiPropertyOptional({ type: [String], format: 'uuid', description: 'empty: all channels of the space' })
  @IsOptional()
  @IsUuid({ each: true })
  @ArrayMaxSize(MAX_CHANNELS)
  @IsArray()
  channel_ids?: string[];

  @ApiPropertyOptional({ enum: TRIGGERS, default: 'all' })
  @IsOptional()
  @IsIn(TRIGGERS, { message: `trigger must be one of ${TRIGGERS.join(', ')}` })
  trigger?: Trigger;

  /** Parsed by `parseTriggerConfig` once the trigger is known. */
  @ApiPropertyOptional({
    oneOf: [{ $ref: getSchemaPath(KeywordsConfigDto) }, { $ref: getSchemaPath(MentionConfigDto) }],
    description: 'depends on the trigger; ignored for trigger all',
    example: { keywords: ['deploy', 'on call'] },
  })
  @IsOptional()
  @IsObject({ message: 'trigger_config must be an object' })
  trigger_config?: Record<string, unknown>;

  @ApiPropertyOptional({ default: false })
  @IsOptional()
  @IsBoolean()
  include_context?: boolean;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 50, default: 10 })
  @IsOptional()
  @Max(50, { message: CONTEXT_SIZE })
  @Min(1, { message: CONTEXT_SIZE })
  @IsInt({ message: CONTEXT_SIZE })
  context_size?: number;

  @ApiPropertyOptional({ enum: STATUSES, default: 'active' })
  @IsOptional()
  @IsIn(STATUSES, { message: 'status must be active or inactive' })
  status?: SubscriptionStatus;

  @ApiPropertyOptional({
    enum: RETRY_PROFILES,
    default: 'contract',
    description:
      'extended: 12 attempts over more than two days; deliveries wait up to three days while the breaker is open',
  })
  @IsOptional()
  @IsIn(RETRY_PROFILES, { message: `retry_profile must be one of ${RETRY_PROFILES.join(', ')}` })
  retry_profile?: RetryProfile;

  @ApiPropertyOptional({
    enum: PAYLOADS,
    default: 'full',
    description:
      'thin: `data` contains only ids, for receivers that fetch the rest; cannot be combined with include_context',
  })
  @IsOptional()
  @IsIn(PAYLOADS, { message: `payload must be one of ${PAYLOADS.join(', ')}` })
  payload?: Payload;

  @ApiPropertyOptional({
    default: false,
    description:
      'true: events of one conversation are sent in order, each after the previous one succeeded or failed for good',
  })
  @IsOptional()
  @IsBoolean()
  ordered?: boolean;
}

/** Body of PATCH /api/v1/admin/outgoing_webhooks/{id}. Absent and null fields stay unchanged. */
@BodyExample('disable', { status: 'inactive' })
export class UpdateOutgoingWebhookDto extends PartialType(CreateOutgoingWebhookDto) {}

/** Converts a body to settings. Absent and null fields become undefined. */
export function toSettings(body: UpdateOutgoingWebhookDto): SettingsInput {
  return {
    name: body.name ?? undefined,
    url: body.url ?? undefined,
    eventTypes: distinct(body.event_types),
    channelIds: distinct(body.channel_ids),
    trigger: body.trigger ?? undefined,
    triggerConfig: body.trigger_config ?? undefined,
    includeContext: body.include_context ?? undefined,
    contextSize: body.context_size ?? undefined,
    status: body.status ?? undefined,
    retryProfile: body.retry_profile ?? undefined,
    payload: body.payload ?? undefined,
    ordered: body.ordered ?? undefined,
  };
}

export function newSubscription(body: CreateOutgoingWebhookDto): NewSubscription {
  return {
    ...toSettings(body),
    name: body.name,
    url: body.url,
    eventTypes: distinct(body.event_types) ?? [],
  };
}

function distinct(values: string[] | null | undefined): string[] | undefined {
  return values ? [...new Set(values)] : undefined;
}

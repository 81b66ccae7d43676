import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { BodyExample, IsHttpsUrl, IsOneLine, IsText, IsUuid } from '@tieline/platform/http';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';
import type { GivenIncomingSettings, NewIncomingSettings } from '../incoming-settings.js';

const trimmed = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() : value;

/**
 * Body of POST /api/v1/admin/incoming_webhooks (contract, Incoming webhook payload; decisions,
 * section 7).
 */
@BodyExample('a webhook', { name: 'Alerts', conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class CreateIncomingWebhookDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 100,
    example: 'Alerts',
    description: 'shown as the author of its messages (up to 64 characters of it)',
  })
  @Transform(trimmed)
  @IsOneLine(100)
  name: string;

  @ApiProperty({
    format: 'uuid',
    description: 'the channel or voice chat that its messages go to; not archived',
    example: '0190f2a4-7c1b-7000-8000-00000000c001',
  })
  @IsUuid()
  conversation_id: string;

  @ApiPropertyOptional({ default: true, description: 'false: whoever knows the address can send' })
  @IsOptional()
  @IsBoolean()
  require_signature?: boolean;

  @ApiPropertyOptional({
    default: true,
    description: 'false: in-app notifications only, unless a payload says silent: false',
  })
  @IsOptional()
  @IsBoolean()
  default_push?: boolean;

  @ApiPropertyOptional({
    description: 'HTTPS, or empty',
    default: '',
    example: 'https://example.com/alerts.png',
  })
  @IsOptional()
  @IsHttpsUrl({ orEmpty: true })
  avatar_url?: string;

  @ApiPropertyOptional({
    default: true,
    description:
      'false: the colour of an attachment says nothing about the severity of a message without one',
  })
  @IsOptional()
  @IsBoolean()
  severity_from_color?: boolean;

  @ApiPropertyOptional({
    default: true,
    description:
      "messages in programs' own formats are grouped by the keys of their senders: repeats of an alert edit one message, its end closes it, events of one pull request, issue or pipeline share a thread",
  })
  @IsOptional()
  @IsBoolean()
  group_alerts?: boolean;

  @ApiPropertyOptional({
    description:
      'a signature is good for one request; an exact repeat gets the stored result; default: as require_signature',
    example: true,
  })
  @IsOptional()
  @IsBoolean()
  replay_protection?: boolean;

  @ApiPropertyOptional({
    maxLength: 256,
    description:
      'the secret that the sender has for its own signatures (GitHub, GitLab, Sentry, Grafana), which are accepted with it; never shown; empty: none',
    example: 'a-long-random-secret',
    writeOnly: true,
  })
  @IsOptional()
  @IsText(0, 256)
  native_secret?: string;

  @ApiPropertyOptional({ default: true, description: 'false: its address answers 410' })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;
}

/** Body of PATCH /api/v1/admin/incoming_webhooks/{id}: what is absent or null stays. */
@BodyExample('another name', { name: 'Alerts' })
export class UpdateIncomingWebhookDto extends PartialType(CreateIncomingWebhookDto) {}

/** The settings that a body contains; absent and null ones are undefined. */
export function givenIncomingSettings(body: UpdateIncomingWebhookDto): GivenIncomingSettings {
  return {
    name: body.name ?? undefined,
    conversationId: body.conversation_id ?? undefined,
    requireSignature: body.require_signature ?? undefined,
    defaultPush: body.default_push ?? undefined,
    avatarUrl: body.avatar_url ?? undefined,
    severityFromColor: body.severity_from_color ?? undefined,
    groupAlerts: body.group_alerts ?? undefined,
    replayProtection: body.replay_protection ?? undefined,
    isActive: body.is_active ?? undefined,
    nativeSecret: body.native_secret ?? undefined,
  };
}

/** The settings of a new webhook. */
export function newIncomingSettings(body: CreateIncomingWebhookDto): NewIncomingSettings {
  return { ...givenIncomingSettings(body), name: body.name, conversationId: body.conversation_id };
}

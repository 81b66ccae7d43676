import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { BodyExample, IsHttpsUrl, IsOneLine, IsText, IsUuid } from '@tieline/platform/http';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';
import type { IncomingSettingsInput, NewIncomingSettings } from '../incoming-settings.js';

const trimmed = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() : value;

/** Body of POST /api/v1/admin/incoming_webhooks. */
@BodyExample('a webhook', { name: 'Alerts', conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class CreateIncomingWebhookDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 100,
    example: 'Alerts',
    description: 'shown as the author of its messages (the first 64 characters)',
  })
  @Transform(trimmed)
  @IsOneLine(100)
  name: string;

  @ApiProperty({
    format: 'uuid',
    description: 'the channel or voice chat that receives the messages; must not be archived',
    example: '0190f2a4-7c1b-7000-8000-00000000c001',
  })
  @IsUuid()
  conversation_id: string;

  @ApiPropertyOptional({ default: true, description: 'false: anyone who knows the address can send' })
  @IsOptional()
  @IsBoolean()
  require_signature?: boolean;

  @ApiPropertyOptional({
    default: true,
    description: 'false: in-app notifications only, unless the payload sets silent: false',
  })
  @IsOptional()
  @IsBoolean()
  default_push?: boolean;

  @ApiPropertyOptional({
    description: 'an HTTPS address, or empty',
    default: '',
    example: 'https://example.com/alerts.png',
  })
  @IsOptional()
  @IsHttpsUrl({ orEmpty: true })
  avatar_url?: string;

  @ApiPropertyOptional({
    default: true,
    description: "false: an attachment's color does not set the severity of a message sent without one",
  })
  @IsOptional()
  @IsBoolean()
  severity_from_color?: boolean;

  @ApiPropertyOptional({
    default: true,
    description:
      "groups messages sent in a program's native format: repeats of an alert edit one message, a resolved alert closes it, and events of one pull request, issue or pipeline share a thread",
  })
  @IsOptional()
  @IsBoolean()
  group_alerts?: boolean;

  @ApiPropertyOptional({
    description:
      'accepts each signature once; an exact repeat of a request gets the stored result; defaults to require_signature',
    example: true,
  })
  @IsOptional()
  @IsBoolean()
  replay_protection?: boolean;

  @ApiPropertyOptional({
    maxLength: 256,
    description:
      "secret for the sender's own signature scheme (GitHub, GitLab, Sentry, Grafana); never shown; empty: the scheme is not accepted",
    example: 'a-long-random-secret',
    writeOnly: true,
  })
  @IsOptional()
  @IsText(0, 256)
  native_secret?: string;

  @ApiPropertyOptional({ default: true, description: 'false: the address answers 410' })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;
}

/** Body of PATCH /api/v1/admin/incoming_webhooks/{id}. Absent and null fields stay unchanged. */
@BodyExample('another name', { name: 'Alerts' })
export class UpdateIncomingWebhookDto extends PartialType(CreateIncomingWebhookDto) {}

/** Converts a body to settings. Absent and null fields become undefined. */
export function toIncomingSettings(body: UpdateIncomingWebhookDto): IncomingSettingsInput {
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

export function newIncomingSettings(body: CreateIncomingWebhookDto): NewIncomingSettings {
  return { ...toIncomingSettings(body), name: body.name, conversationId: body.conversation_id };
}

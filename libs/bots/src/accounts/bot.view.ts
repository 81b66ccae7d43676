import { BreakerView, RETRY_PROFILES } from '@tieline/delivery';
import type { RetryProfile } from '@tieline/delivery';
import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { PREVIOUS_SECRET_FIELD, previousSecretView } from '@tieline/signing';
import type { Bot } from './bot.entity.js';
import { EVENT_DELIVERY_MODES } from './bot-settings.js';
import type { BotSettings, EventDeliveryMode } from './bot-settings.js';

/** A bot's settings under their wire names. */
export class BotSettingsView {
  @Field({ example: 'Deploy bot' })
  display_name: string;

  @Field({ example: 'https://example.com/deploy.png', description: 'HTTPS, or empty' })
  avatar_url: string;

  @Field({ example: true })
  is_active: boolean;

  @Field({ example: ['MESSAGE_CREATED'], description: 'empty: only direct events' })
  event_types: string[];

  @Field({
    example: ['01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d31'],
    description: 'empty: all channels of the space',
  })
  channel_ids: string[];

  @Field({ enum: EVENT_DELIVERY_MODES, example: 'webhook' })
  event_delivery_mode: EventDeliveryMode;

  @Field({
    example: 'https://example.com/events',
    description: 'empty unless the mode is `webhook`; the stored address is kept in other modes',
  })
  webhook_url: string;

  @Field({
    enum: RETRY_PROFILES,
    example: 'contract',
    description: 'number and spacing of push attempts',
  })
  retry_profile: RetryProfile;
}

/** A bot as the API returns it. Never contains the push signing secret or the token. */
export class BotView extends BotSettingsView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11' })
  id: string;

  @Field({ example: '01939d3e-1111-7aaa-9c1d-2f6a5b1c0d11' })
  space_id: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

/** A bot as admins see it. */
export class AdminBotView extends BotView {
  @Field({ type: BreakerView, description: 'circuit breaker of its pushes' })
  breaker: BreakerView;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  created_at: string;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  updated_at: string;
}

export class OwnBotAnswer extends OkAnswer {
  @Field({ type: BotView })
  bot: BotView;
}

export class BotAnswer extends OkAnswer {
  @Field({ type: AdminBotView })
  bot: AdminBotView;
}

export class CreatedBotAnswer extends BotAnswer {
  @Field({ example: 'tlb_…', description: 'shown only in this response' })
  token: string;

  @Field({ example: 'whsec_…', description: 'shown only in this response' })
  webhook_signing_secret: string;
}

export class RegeneratedBotTokenAnswer extends OkAnswer {
  @Field({ example: 'tlb_…', description: 'shown only in this response' })
  token: string;

  @Field({
    example: 'whsec_…',
    optional: true,
    description: 'with `reset` only: the new push signing secret',
  })
  webhook_signing_secret?: string;
}

export class BotsPage extends PageAnswer {
  @Field({ type: AdminBotView, isArray: true })
  bots: AdminBotView[];
}

/** Returns a bot's settings as they are stored; the audit log records this form. */
export function settingsView(settings: BotSettings): BotSettingsView {
  return {
    display_name: settings.displayName,
    avatar_url: settings.avatarUrl,
    is_active: settings.isActive,
    event_types: settings.eventTypes,
    channel_ids: settings.channelIds,
    event_delivery_mode: settings.eventDeliveryMode,
    webhook_url: settings.webhookUrl,
    retry_profile: settings.retryProfile,
  };
}

/** Returns a bot as it sees itself: `webhook_url` is empty unless the mode is `webhook`. */
export function botView(bot: Bot): BotView {
  const webhookUrl = bot.eventDeliveryMode === 'webhook' ? bot.webhookUrl : '';
  return {
    id: bot.id,
    space_id: bot.spaceId,
    ...settingsView({ ...bot, webhookUrl }),
    ...previousSecretView(bot.previousSecretExpiresAt),
  };
}

export function adminBotView(bot: Bot, breaker: BreakerView): AdminBotView {
  return {
    ...botView(bot),
    breaker,
    created_at: bot.createdAt.toISOString(),
    updated_at: bot.updatedAt.toISOString(),
  };
}

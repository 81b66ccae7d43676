import type { Bot } from './bot.entity.js';
import type { BotSettings } from './bot-settings.js';

/** A bot's settings under their wire names. */
export type SettingsView = {
  display_name: string;
  avatar_url: string;
  is_active: boolean;
  event_types: string[];
  channel_ids: string[];
  event_delivery_mode: string;
  webhook_url: string;
};

/** The Bot resource of the contract. The push signing secret and the token are never in it. */
export interface BotView extends SettingsView {
  id: string;
  space_id: string;
}

/** What admins see besides. */
export interface AdminBotView extends BotView {
  created_at: string;
  updated_at: string;
}

/** A bot's settings as the API and the audit log show them. */
export function settingsView(settings: BotSettings): SettingsView {
  return {
    display_name: settings.displayName,
    avatar_url: settings.avatarUrl,
    is_active: settings.isActive,
    event_types: settings.eventTypes,
    channel_ids: settings.channelIds,
    event_delivery_mode: settings.eventDeliveryMode,
    webhook_url: settings.webhookUrl,
  };
}

/** A bot as it sees itself. */
export function botView(bot: Bot): BotView {
  return { id: bot.id, space_id: bot.spaceId, ...settingsView(bot) };
}

/** A bot as admins see it. */
export function adminBotView(bot: Bot): AdminBotView {
  return {
    ...botView(bot),
    created_at: bot.createdAt.toISOString(),
    updated_at: bot.updatedAt.toISOString(),
  };
}

/** A bot in the OpenAPI document. */
export const BOT_EXAMPLE: BotView = {
  id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11',
  space_id: '01939d3e-1111-7aaa-9c1d-2f6a5b1c0d11',
  display_name: 'Deploy bot',
  avatar_url: 'https://example.com/deploy.png',
  is_active: true,
  event_types: ['MESSAGE_CREATED'],
  channel_ids: [],
  event_delivery_mode: 'webhook',
  webhook_url: 'https://example.com/events',
};

/** A bot in the OpenAPI document, as admins see it. */
export const ADMIN_BOT_EXAMPLE: AdminBotView = {
  ...BOT_EXAMPLE,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

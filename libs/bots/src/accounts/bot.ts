import { BreakerView, RETRY_PROFILES } from '@tieline/delivery';
import type { RetryProfile } from '@tieline/delivery';
import { json, nullable, text } from '@tieline/platform/database';
import { IsHttpsUrl, IsOneLine, IsUuid } from '@tieline/platform/http';
import { distinct, field } from '@tieline/platform/resource';
import type { InputOf, SettingsOf } from '@tieline/platform/resource';
import { PREVIOUS_SECRET } from '@tieline/signing';
import { ArrayMaxSize, IsArray, IsIn, IsString, MaxLength } from 'class-validator';
import { IsEventTypes, SUBSCRIBABLE_EVENT_TYPES } from '../events/dto/event-types.js';
import { SLACK_EVENT_NAMES } from '../events/slack-event-names.js';

/** How a bot receives its events. */
const EVENT_DELIVERY_MODES = ['none', 'poll', 'webhook'] as const;
/** One of {@link EVENT_DELIVERY_MODES}. */
export type EventDeliveryMode = (typeof EVENT_DELIVERY_MODES)[number];

/** The form in which a bot receives its events. */
export const EVENT_FORMATS = ['native', 'slack'] as const;
/** One of {@link EVENT_FORMATS}. */
export type EventFormat = (typeof EVENT_FORMATS)[number];

const MAX_CHANNELS = 1000;
const SLACK_EVENTS_TEXT = `slack_events must be a list of ${SLACK_EVENT_NAMES.join(', ')}`;
const TIME = '2026-11-21T09:00:00.000Z';
/** What only admins set. */
const SETTING = { settable: ['create', 'update'], audited: true, shown: true } as const;
/** What admins and the bot itself set. */
const OWN_SETTING = { ...SETTING, settable: ['create', 'update', 'self'] } as const;

/** The fields of a bot account. */
export const BOT = {
  displayName: field('text', {
    ...OWN_SETTING,
    body: { minLength: 1, maxLength: 64 },
    rules: [IsOneLine(64)],
    example: 'Deploy bot',
  }),
  avatarUrl: field('text', {
    ...OWN_SETTING,
    default: '',
    rules: [IsHttpsUrl({ orEmpty: true })],
    example: 'https://example.com/deploy.png',
    description: 'HTTPS, or empty',
  }),
  isActive: field('bool', {
    ...SETTING,
    default: true,
    body: { description: 'false: its token is rejected and nothing is delivered' },
    shown: { example: true },
  }),
  eventTypes: field('text[]', {
    ...SETTING,
    default: [],
    body: { enum: [...SUBSCRIBABLE_EVENT_TYPES] },
    rules: [IsEventTypes()],
    read: distinct,
    shown: { example: ['MESSAGE_CREATED'] },
    description: 'empty: only direct events',
  }),
  channelIds: field('uuid[]', {
    ...SETTING,
    default: [],
    rules: [IsUuid({ each: true }), ArrayMaxSize(MAX_CHANNELS), IsArray()],
    read: distinct,
    shown: { example: ['01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d31'] },
    description: 'empty: all channels of the space',
  }),
  eventDeliveryMode: field(text<EventDeliveryMode>(), {
    ...OWN_SETTING,
    default: 'none',
    enum: EVENT_DELIVERY_MODES,
    body: { description: '`webhook` needs a stored webhook_url' },
    shown: { example: 'webhook' },
  }),
  eventFormat: field(text<EventFormat>(), {
    ...SETTING,
    default: 'native',
    enum: EVENT_FORMATS,
    body: { description: '`slack`: events as Slack apps receive them, by webhook and by socket mode' },
    shown: { example: 'native', description: 'form of its events' },
  }),
  slackEvents: field('text[]', {
    ...SETTING,
    default: [],
    body: { enum: [...SLACK_EVENT_NAMES] },
    rules: [IsIn(SLACK_EVENT_NAMES, { each: true, message: SLACK_EVENTS_TEXT }), IsArray()],
    read: distinct,
    shown: { example: ['app_mention', 'message.im'] },
    description: 'with `event_format` `slack`, only these events of Slack; empty: no restriction',
  }),
  /** Kept in every mode; empty if none was set. */
  webhookUrl: field('text', {
    ...SETTING,
    default: '',
    body: { description: 'HTTPS and public; empty clears it' },
    rules: [MaxLength(2048), IsString()],
    shown: {
      description: 'empty unless the mode is `webhook`; the stored address is kept in other modes',
    },
    example: 'https://example.com/events',
  }),
  /** The retry profile of pushes planned from now on. */
  retryProfile: field(text<RetryProfile>(), {
    ...SETTING,
    default: 'contract',
    enum: RETRY_PROFILES,
    body: { description: 'retries of its pushes; extended: 12 attempts over more than two days' },
    shown: { example: 'contract', description: 'number and spacing of push attempts' },
  }),
  id: field('uuid', { key: true, shown: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11' }),
  spaceId: field('uuid', { key: true, shown: true, example: '01939d3e-1111-7aaa-9c1d-2f6a5b1c0d11' }),
  ...PREVIOUS_SECRET,
  breaker: field(json<BreakerView>(), {
    stored: false,
    shown: { type: BreakerView, description: 'circuit breaker of its pushes' },
  }),
  createdAt: field('timestamptz', { shown: true, example: TIME }),
  updatedAt: field('timestamptz', { shown: true, example: TIME }),
  /** A deleted bot keeps its row, because its messages name it as their author. */
  deletedAt: field(nullable('timestamptz')),
  /** Sealed by the SecretBox for `BOT_WEBHOOK_SECRET`. */
  webhookSecret: field('bytea', { secret: true }),
  /** SHA-256 of the bearer token. */
  tokenHash: field('bytea', { secret: true }),
  /** Failed push deliveries since the last 2xx. */
  pushFailures: field('int4', { secret: true }),
  /**
   * Set when push failures reached the threshold. Nothing more is sent, and a worker disables the
   * push.
   */
  exhaustedAt: field(nullable('timestamptz'), { secret: true }),
  /** The installation of the app that the bot belongs to. Null for bots that an admin created. */
  installationId: field(nullable('uuid')),
  /** Where an app receives the clicks on messages of its bots. Empty for other bots. */
  interactiveUrl: field('text', { secret: true }),
  /** What `isActive` becomes once the app is active again. Null while the app is active. */
  activeBeforeSuspension: field(nullable('bool')),
  /** What the bot of an app may do. Null for bots that an admin created: everything. */
  scopes: field(nullable('text[]'), { secret: true }),
  /** Null: the token does not expire. */
  tokenExpiresAt: field(nullable('timestamptz'), { secret: true }),
  /** Time of the last reset. Tables of other libs follow by triggers. */
  resetAt: field(nullable('timestamptz'), { secret: true }),
};

/** A bot's settings, set by admins and in part by the bot itself. */
export type BotSettings = SettingsOf<typeof BOT>;
/** The settings of a new bot. Without event types it receives only direct events. */
export type NewBot = InputOf<typeof BOT, 'create'>;

/** Settings in a request. Undefined ones stay unchanged. */
export type BotInput = InputOf<typeof BOT, 'update'>;

/** Returns whether mode `webhook` lacks the stored URL that it requires. */
export function lacksWebhookUrl({
  eventDeliveryMode,
  webhookUrl,
}: Pick<BotSettings, 'eventDeliveryMode' | 'webhookUrl'>): boolean {
  return eventDeliveryMode === 'webhook' && webhookUrl === '';
}

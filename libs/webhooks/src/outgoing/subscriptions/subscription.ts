import { getSchemaPath } from '@nestjs/swagger';
import { BreakerView, RETRY_PROFILES } from '@tieline/delivery';
import type { RetryProfile } from '@tieline/delivery';
import { json, nullable, text } from '@tieline/platform/database';
import { IsOneLine, IsUuid, Trimmed } from '@tieline/platform/http';
import { distinct, field } from '@tieline/platform/resource';
import type { SettingsOf, InputOf } from '@tieline/platform/resource';
import { PREVIOUS_SECRET } from '@tieline/signing';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { SUBSCRIBABLE_EVENT_TYPES } from '../planning/event-types.js';
import { PAYLOADS } from '../planning/thin-data.js';
import type { Payload } from '../planning/thin-data.js';
import { KeywordsConfigDto, MentionConfigDto } from './dto/trigger-config.dto.js';
import { TRIGGERS } from './settings/trigger-config.js';
import type { Trigger, TriggerConfig } from './settings/trigger-config.js';

export type SubscriptionStatus = 'active' | 'inactive';

const STATUSES: readonly SubscriptionStatus[] = ['active', 'inactive'];
const MAX_CHANNELS = 1000;
const CONTEXT_SIZE = { message: 'context_size must be a whole number from 1 to 50' };
const EVENT_TYPES = {
  message: `event_types must be a list of at least one of ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}`,
};
const TIME = '2026-01-02T03:04:05.678Z';
/** What admins set and see. */
const SETTING = { settable: ['create', 'update'], audited: true, shown: true } as const;

/** The fields of a subscription to events. */
export const SUBSCRIPTION = {
  spaceId: field('uuid', { key: true }),
  id: field('uuid', { key: true, shown: true, example: '0190f2a4-7c1b-7000-8000-00000000abcd' }),
  name: field('text', {
    ...SETTING,
    body: { minLength: 1, maxLength: 100 },
    rules: [IsOneLine(100), Trimmed()],
    example: 'Deploy log',
  }),
  url: field('text', {
    ...SETTING,
    rules: [
      IsString({ message: 'url must be an HTTPS URL' }),
      MaxLength(2048, { message: 'url must have up to 2048 characters' }),
    ],
    example: 'https://receiver.example/hook',
  }),
  eventTypes: field('text[]', {
    ...SETTING,
    body: { enum: [...SUBSCRIBABLE_EVENT_TYPES] },
    rules: [
      IsArray(EVENT_TYPES),
      ArrayMinSize(1, EVENT_TYPES),
      IsIn(SUBSCRIBABLE_EVENT_TYPES, { each: true, ...EVENT_TYPES }),
    ],
    read: distinct,
    example: ['MESSAGE_CREATED'],
  }),
  channelIds: field('uuid[]', {
    ...SETTING,
    default: [],
    rules: [IsArray(), ArrayMaxSize(MAX_CHANNELS), IsUuid({ each: true })],
    read: distinct,
    shown: { example: ['0190f2a4-7c1b-7000-8000-00000000c001'] },
    description: 'empty: all channels of the space',
  }),
  trigger: field(text<Trigger>(), {
    ...SETTING,
    default: 'all',
    enum: TRIGGERS,
    shown: { example: 'keywords' },
  }),
  triggerConfig: field(json<TriggerConfig>(), {
    ...SETTING,
    default: {},
    body: {
      oneOf: [{ $ref: getSchemaPath(KeywordsConfigDto) }, { $ref: getSchemaPath(MentionConfigDto) }],
      description: 'depends on the trigger; ignored for trigger all',
      example: { keywords: ['deploy', 'on call'] },
    },
    rules: [IsObject({ message: 'trigger_config must be an object' })],
    // Parsed by `parseTriggerConfig` once the trigger is known.
    read: (given: Record<string, unknown>) => given,
    shown: { example: { keywords: ['deploy'] } },
  }),
  includeContext: field('bool', { ...SETTING, default: false, shown: { example: true } }),
  contextSize: field('int4', {
    ...SETTING,
    default: 10,
    body: { minimum: 1, maximum: 50 },
    rules: [IsInt(CONTEXT_SIZE), Min(1, CONTEXT_SIZE), Max(50, CONTEXT_SIZE)],
    shown: { example: 10 },
  }),
  status: field(text<SubscriptionStatus>(), {
    ...SETTING,
    default: 'active',
    enum: STATUSES,
    rules: [IsIn(STATUSES, { message: 'status must be active or inactive' })],
    shown: { example: 'active' },
  }),
  /** Retry schedule of deliveries planned from now on. */
  retryProfile: field(text<RetryProfile>(), {
    ...SETTING,
    default: 'contract',
    enum: RETRY_PROFILES,
    body: {
      description:
        'extended: 12 attempts over more than two days; deliveries wait up to three days while the breaker is open',
    },
    shown: { example: 'contract' },
  }),
  payload: field(text<Payload>(), {
    ...SETTING,
    default: 'full',
    enum: PAYLOADS,
    body: {
      description:
        'thin: `data` contains only ids, for receivers that fetch the rest; cannot be combined with include_context',
    },
    shown: { example: 'full' },
  }),
  ordered: field('bool', {
    ...SETTING,
    default: false,
    body: {
      description:
        'true: events of one conversation are sent in order, each after the previous one succeeded or failed for good',
    },
    shown: { example: false },
  }),
  breaker: field(json<BreakerView>(), { stored: false, shown: { type: BreakerView } }),
  signingSecret: field(nullable('bytea'), { secret: true }),
  ...PREVIOUS_SECRET,
  createdAt: field('timestamptz', { shown: true, example: TIME }),
  updatedAt: field('timestamptz', { shown: true, example: TIME }),
  deletedAt: field(nullable('timestamptz')),
  /** Dead deliveries since the last 2xx. */
  consecutiveDead: field('int4'),
  /**
   * Set when the threshold is reached. Nothing is sent any more, and a worker disables the
   * subscription.
   */
  exhaustedAt: field(nullable('timestamptz'), { secret: true }),
};

/** Settings of a subscription that admins can change. */
export type SubscriptionSettings = SettingsOf<typeof SUBSCRIPTION>;
/** Settings of a new subscription. */
export type NewSubscription = InputOf<typeof SUBSCRIPTION, 'create'>;
/** Settings in a request. Undefined ones stay unchanged. */
export type SettingsInput = InputOf<typeof SUBSCRIPTION, 'update'>;

import type { RetryProfile } from '@tieline/delivery';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Payload } from '../planning/thin-data.js';
import type { SubscriptionSettings, SubscriptionStatus } from './settings/subscription-settings.js';
import type { Trigger, TriggerConfig } from './settings/trigger-config.js';

/**
 * Row of `outgoing_webhooks`. Never leaves this lib. The sealed secrets are selected explicitly.
 */
@Entity({ name: 'outgoing_webhooks' })
export class OutgoingWebhook implements SubscriptionSettings {
  @PrimaryColumn({ type: 'uuid', name: 'space_id' })
  spaceId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text', array: true, name: 'event_types' })
  eventTypes: string[];

  /** Empty: all channels of the space. */
  @Column({ type: 'uuid', array: true, name: 'channel_ids' })
  channelIds: string[];

  @Column({ type: 'text' })
  trigger: Trigger;

  @Column({ type: 'jsonb', name: 'trigger_config' })
  triggerConfig: TriggerConfig;

  @Column({ type: 'boolean', name: 'include_context' })
  includeContext: boolean;

  @Column({ type: 'int', name: 'context_size' })
  contextSize: number;

  @Column({ type: 'text' })
  status: SubscriptionStatus;

  @Column({ type: 'text', name: 'retry_profile' })
  retryProfile: RetryProfile;

  @Column({ type: 'text' })
  payload: Payload;

  @Column({ type: 'boolean' })
  ordered: boolean;

  @Column({ type: 'bytea', name: 'signing_secret', select: false, nullable: true })
  signingSecret?: Buffer | null;

  /** The secret before the last rotation, valid until it expires. */
  @Column({ type: 'bytea', name: 'previous_secret', select: false, nullable: true })
  previousSecret?: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt?: Date | null;

  /** Dead deliveries since the last 2xx. */
  @Column({ type: 'int', name: 'consecutive_dead' })
  consecutiveDead: number;

  /**
   * Set when the threshold is reached. Nothing is sent any more, and a worker disables the
   * subscription.
   */
  @Column({ type: 'timestamptz', name: 'exhausted_at', nullable: true, select: false })
  exhaustedAt?: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}

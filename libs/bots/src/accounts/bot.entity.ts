import type { RetryProfile } from '@tieline/delivery';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventDeliveryMode } from './bot-settings.js';

/** A bot account of one space. Columns with secrets are selected only if a query names them. */
@Entity('bots')
export class Bot {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  /** HTTPS, or empty. */
  @Column('text', { name: 'avatar_url' })
  avatarUrl: string;

  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  @Column('text', { name: 'event_types', array: true })
  eventTypes: string[];

  /** Empty: all channels of the space. */
  @Column('uuid', { name: 'channel_ids', array: true })
  channelIds: string[];

  @Column('text', { name: 'event_delivery_mode' })
  eventDeliveryMode: EventDeliveryMode;

  /** Kept in every mode; empty if none was set. */
  @Column('text', { name: 'webhook_url' })
  webhookUrl: string;

  /** The retry profile of pushes. */
  @Column('text', { name: 'retry_profile' })
  retryProfile: RetryProfile;

  /** Sealed by the SecretBox for {@link webhookSecretPurpose}. */
  @Column('bytea', { name: 'webhook_secret', select: false })
  webhookSecret: Buffer;

  /** The previous push secret, valid until it expires. */
  @Column('bytea', { name: 'previous_secret', nullable: true, select: false })
  previousSecret?: Buffer | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt?: Date | null;

  /** Failed push deliveries since the last 2xx. */
  @Column('int', { name: 'push_failures', select: false })
  pushFailures?: number;

  /**
   * Set when push failures reached the threshold. Nothing more is sent, and a worker disables the
   * push.
   */
  @Column('timestamptz', { name: 'exhausted_at', nullable: true, select: false })
  exhaustedAt?: Date | null;

  /** Time of the last reset. Tables of other libs follow by triggers. */
  @Column('timestamptz', { name: 'reset_at', nullable: true, select: false })
  resetAt?: Date | null;

  /** SHA-256 of the bearer token. */
  @Column('bytea', { name: 'token_hash', select: false })
  tokenHash: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  /** A deleted bot keeps its row, because its messages name it as their author. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}

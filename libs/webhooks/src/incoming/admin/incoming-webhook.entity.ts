import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IncomingSettings } from './incoming-settings.js';

/**
 * Row of `incoming_webhooks`. Never leaves this lib. Token hash and sealed secrets are selected
 * explicitly.
 */
@Entity({ name: 'incoming_webhooks' })
export class IncomingWebhook implements IncomingSettings {
  @PrimaryColumn({ type: 'uuid', name: 'space_id' })
  spaceId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Channel that receives its messages. */
  @Column({ type: 'uuid', name: 'conversation_id' })
  conversationId: string;

  @Column({ type: 'boolean', name: 'require_signature' })
  requireSignature: boolean;

  @Column({ type: 'boolean', name: 'default_push' })
  defaultPush: boolean;

  /** An HTTPS address, or empty. */
  @Column({ type: 'text', name: 'avatar_url' })
  avatarUrl: string;

  /** Whether an attachment's color sets the severity when the sender gives none. */
  @Column({ type: 'boolean', name: 'severity_from_color' })
  severityFromColor: boolean;

  /**
   * Whether messages in native formats are grouped by their keys, such as an alert's fingerprint.
   */
  @Column({ type: 'boolean', name: 'group_alerts' })
  groupAlerts: boolean;

  /** null: follows `requireSignature`. */
  @Column({ type: 'boolean', name: 'replay_protection', nullable: true })
  replayProtection: boolean | null;

  @Column({ type: 'boolean', name: 'is_active' })
  isActive: boolean;

  @Column({ type: 'bytea', name: 'token_hash', select: false, nullable: true })
  tokenHash?: Buffer | null;

  @Column({ type: 'bytea', name: 'signing_secret', select: false, nullable: true })
  signingSecret?: Buffer | null;

  /** Sealed secret of the sender's own signature scheme. Null: none. */
  @Column({ type: 'bytea', name: 'native_secret', nullable: true })
  nativeSecret: Buffer | null;

  /** The secret before the last rotation, valid until it expires. */
  @Column({ type: 'bytea', name: 'previous_secret', select: false, nullable: true })
  previousSecret?: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt?: Date | null;

  /** Authenticated requests that ended in 400 or 5xx since the last 2xx. */
  @Column({ type: 'int', name: 'consecutive_failures' })
  consecutiveFailures: number;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}

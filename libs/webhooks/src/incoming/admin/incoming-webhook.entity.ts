import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IncomingSettings } from './incoming-settings.js';

/**
 * Row of `incoming_webhooks`. Never leaves this lib; hash and sealed secret are read only where
 * they are used.
 */
@Entity({ name: 'incoming_webhooks' })
export class IncomingWebhook implements IncomingSettings {
  @PrimaryColumn({ type: 'uuid', name: 'space_id' })
  spaceId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** The channel that its messages go to. */
  @Column({ type: 'uuid', name: 'conversation_id' })
  conversationId: string;

  @Column({ type: 'boolean', name: 'require_signature' })
  requireSignature: boolean;

  @Column({ type: 'boolean', name: 'default_push' })
  defaultPush: boolean;

  /** HTTPS, or empty. */
  @Column({ type: 'text', name: 'avatar_url' })
  avatarUrl: string;

  /** Whether a colour gives the severity where none is sent. */
  @Column({ type: 'boolean', name: 'severity_from_color' })
  severityFromColor: boolean;

  /** Whether messages in programs' own formats are grouped by the keys of their senders. */
  @Column({ type: 'boolean', name: 'group_alerts' })
  groupAlerts: boolean;

  /** null: where a signature is required. */
  @Column({ type: 'boolean', name: 'replay_protection', nullable: true })
  replayProtection: boolean | null;

  @Column({ type: 'boolean', name: 'is_active' })
  isActive: boolean;

  @Column({ type: 'bytea', name: 'token_hash', select: false, nullable: true })
  tokenHash?: Buffer | null;

  @Column({ type: 'bytea', name: 'signing_secret', select: false, nullable: true })
  signingSecret?: Buffer | null;

  /** Sealed secret of the sender's own scheme; null: none. */
  @Column({ type: 'bytea', name: 'native_secret', nullable: true })
  nativeSecret: Buffer | null;

  /** The secret before, which is valid until it expires. */
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

import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A bot's callback address for clicks and the keys of its tokens. The row is created by the first
 * configuration or, for a bot in poll mode, by its first buttons. It is never deleted, so that
 * `generation` only grows.
 */
@Entity('interactive_configs')
export class InteractiveConfig {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid', { name: 'bot_id' })
  botId: string;

  /** Null, like the secret, until the bot configures a callback. */
  @Column('text', { name: 'callback_url', nullable: true })
  callbackUrl: string | null;

  /** The buttons signing secret, sealed by `sealSecret`. */
  @Column('bytea', { name: 'signing_secret', nullable: true })
  signingSecret: Buffer | null;

  /** The previous secret, valid until it expires. It verifies tokens of the previous generation. */
  @Column('bytea', { name: 'previous_secret', nullable: true, select: false })
  previousSecret?: Buffer | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt?: Date | null;

  /** Signs tokens while there is no secret; sealed. */
  @Column('bytea', { name: 'internal_key' })
  internalKey: Buffer;

  /** Part of every token. Incrementing it invalidates all existing buttons. */
  @Column('int')
  generation: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

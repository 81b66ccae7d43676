import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Where a bot's clicks are called back, and the keys of its tokens. A row comes with the first
 * configuration, or with the first buttons of a bot in poll mode, and is never deleted:
 * `generation` only grows.
 */
@Entity('interactive_configs')
export class InteractiveConfig {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid', { name: 'bot_id' })
  botId: string;

  /** Null, like the secret, while the bot has no callback. */
  @Column('text', { name: 'callback_url', nullable: true })
  callbackUrl: string | null;

  /** The buttons signing secret, sealed by `sealSecret`. */
  @Column('bytea', { name: 'signing_secret', nullable: true })
  signingSecret: Buffer | null;

  /**
   * The secret before, which is valid until it expires, with the tokens of the generation before.
   */
  @Column('bytea', { name: 'previous_secret', nullable: true, select: false })
  previousSecret?: Buffer | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt?: Date | null;

  /** Signs while there is no secret; sealed. */
  @Column('bytea', { name: 'internal_key' })
  internalKey: Buffer;

  /** Part of every token: raising it invalidates all existing buttons. */
  @Column('int')
  generation: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

import type { CommandOption } from './options/command-option.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A command that a bot registered. Deleting the row frees the name immediately. */
@Entity('slash_commands')
export class SlashCommand {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  /** Without the slash. */
  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('text', { name: 'usage_hint' })
  usageHint: string;

  /**
   * False after a reset of its bot, until it has a callback and a secret again. An inactive command
   * cannot be invoked.
   */
  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  /** Empty if a bot in poll mode gave none. */
  @Column('text', { name: 'callback_url' })
  callbackUrl: string;

  /** Empty if the command takes free text. */
  @Column('jsonb')
  options: CommandOption[];

  /**
   * The secret that signs callbacks, sealed for {@link commandSecretPurpose}; null after a reset of
   * its bot.
   */
  @Column('bytea', { name: 'signing_secret', nullable: true, select: false })
  signingSecret?: Buffer | null;

  /**
   * The previous secret, which also signs until {@link previousSecretExpiresAt}; sealed in the same
   * way.
   */
  @Column('bytea', { name: 'previous_secret', nullable: true, select: false })
  previousSecret?: Buffer | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

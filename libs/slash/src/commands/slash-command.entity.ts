import type { CommandOption } from './options/command-option.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A command that a bot has registered. A deleted one is gone: its name is free at once. */
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
   * False: its bot was reset, and it has got no callback and no secret since; it can't be invoked.
   */
  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  /** Empty for bots in poll mode that gave none. */
  @Column('text', { name: 'callback_url' })
  callbackUrl: string;

  /** Empty: it takes free text. */
  @Column('jsonb')
  options: CommandOption[];

  /**
   * What callbacks are signed with, sealed for {@link commandSecretPurpose}; null once its bot was
   * reset.
   */
  @Column('bytea', { name: 'signing_secret', nullable: true, select: false })
  signingSecret?: Buffer | null;

  /** What signs beside it until {@link previousSecretExpiresAt}, sealed in the same way. */
  @Column('bytea', { name: 'previous_secret', nullable: true, select: false })
  previousSecret?: Buffer | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A person's open invite. */
@Entity('invites')
export class Invite {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  /** SHA-256. Never selected. */
  @Column('bytea', { name: 'token_hash', select: false })
  tokenHash: Buffer;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}

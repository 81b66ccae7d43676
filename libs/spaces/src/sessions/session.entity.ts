import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A session of a browser. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id: string;

  /** Null, like the person, for a session of the operator. */
  @Column('uuid', { name: 'space_id', nullable: true })
  spaceId: string | null;

  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** See `session-tokens.ts`. */
  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  /** Empty when unknown. */
  @Column('text', { name: 'user_agent' })
  userAgent: string;

  /** The network address that opened it. */
  @Column('text')
  ip: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}

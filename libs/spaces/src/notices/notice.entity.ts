import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Something that the admins of a space should know, until one of them dismisses it. */
@Entity('notices')
export class Notice {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: string;

  @Column('text', { name: 'object_type' })
  objectType: string;

  @Column('uuid', { name: 'object_id' })
  objectId: string;

  @Column('text')
  text: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'dismissed_at', nullable: true })
  dismissedAt: Date | null;

  /** The conversation in which it is still to be posted. */
  @Column('uuid', { name: 'post_to', nullable: true })
  postTo: string | null;

  /** Tries to post it that failed. */
  @Column('integer', { name: 'post_attempts', default: 0 })
  postAttempts: number;

  /** Not tried again before. */
  @Column('timestamptz', { name: 'post_after', nullable: true })
  postAfter: Date | null;
}

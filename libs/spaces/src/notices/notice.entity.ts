import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A notice for the admins of a space, until one of them dismisses it. */
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

  /** The conversation that it still has to be posted in. */
  @Column('uuid', { name: 'post_to', nullable: true })
  postTo: string | null;

  /** Failed attempts to post it. */
  @Column('integer', { name: 'post_attempts', default: 0 })
  postAttempts: number;

  /** Time of the next attempt. */
  @Column('timestamptz', { name: 'post_after', nullable: true })
  postAfter: Date | null;
}

import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Where a device of a person takes Web Push messages. The keys are the browser's, in base64url. */
@Entity('push_subscriptions')
export class PushSubscription {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  endpoint: string;

  @Column('text')
  p256dh: string;

  @Column('text')
  auth: string;

  /** The session of the browser, with which it is forgotten. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId: string | null;

  /** When its push service said that it is gone: nothing is sent to it until it is added again. */
  @Column('timestamptz', { name: 'gone_at', nullable: true })
  goneAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

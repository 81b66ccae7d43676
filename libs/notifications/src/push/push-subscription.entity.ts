import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A device of a person that receives Web Push messages. The browser's keys are in base64url. */
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

  /** The browser session. When it ends, the device is removed. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId: string | null;

  /** When its push service reported it as gone. Nothing is sent to it until it is added again. */
  @Column('timestamptz', { name: 'gone_at', nullable: true })
  goneAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

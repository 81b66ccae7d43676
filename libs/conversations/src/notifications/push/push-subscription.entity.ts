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

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

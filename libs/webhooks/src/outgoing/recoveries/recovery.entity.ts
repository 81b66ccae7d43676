import { Column, Entity, PrimaryColumn } from 'typeorm';

export const RECOVERY_STATES = ['running', 'done', 'cancelled'] as const;
export type RecoveryState = (typeof RECOVERY_STATES)[number];

/** A log of a subscription, or a part of it, that is sent again. */
@Entity({ name: 'outgoing_recoveries' })
export class Recovery {
  @PrimaryColumn({ type: 'uuid', name: 'space_id' })
  spaceId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'webhook_id' })
  webhookId: string;

  /** Where it is sent: the same subscription or another one. */
  @Column({ type: 'uuid', name: 'to_id' })
  toId: string;

  @Column({ type: 'boolean', name: 'only_failed' })
  onlyFailed: boolean;

  @Column({ type: 'timestamptz' })
  since: Date;

  @Column({ type: 'timestamptz' })
  until: Date;

  /** Empty: all. */
  @Column({ type: 'text', array: true, name: 'event_types' })
  eventTypes: string[];

  @Column({ type: 'text' })
  state: RecoveryState;

  /** How many events there were when it began. */
  @Column({ type: 'int' })
  total: number;

  /** How many deliveries it has handed over. */
  @Column({ type: 'int' })
  handed: number;

  /** How many of them have ended. */
  @Column({ type: 'int' })
  done: number;

  @Column({ type: 'int' })
  succeeded: number;

  @Column({ type: 'int' })
  failed: number;

  /** The last delivery that was looked at; the greatest id when there is no other. */
  @Column({ type: 'uuid' })
  position: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

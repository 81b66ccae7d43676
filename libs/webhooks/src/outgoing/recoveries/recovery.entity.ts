import { Column, Entity, PrimaryColumn } from 'typeorm';

export const RECOVERY_STATES = ['running', 'done', 'cancelled'] as const;
export type RecoveryState = (typeof RECOVERY_STATES)[number];

/** Sends a part of a subscription's log again. */
@Entity({ name: 'outgoing_recoveries' })
export class Recovery {
  @PrimaryColumn({ type: 'uuid', name: 'space_id' })
  spaceId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'webhook_id' })
  webhookId: string;

  /** Target: the same subscription or another one. */
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

  /** Number of events when it started. */
  @Column({ type: 'int' })
  total: number;

  /** Number of deliveries handed over. */
  @Column({ type: 'int' })
  handed: number;

  /** Number of finished deliveries. */
  @Column({ type: 'int' })
  done: number;

  @Column({ type: 'int' })
  succeeded: number;

  @Column({ type: 'int' })
  failed: number;

  /** Last delivery processed. The greatest possible id at the end of the log. */
  @Column({ type: 'uuid' })
  position: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

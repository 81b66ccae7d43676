import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Kinds of actors. `operator` and `system` have no id. */
export const ACTOR_TYPES = ['user', 'bot', 'operator', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** The changed fields; `from` is null for a new object. */
export type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>;

/** One entry of the audit log. Never updated. */
@Entity('audit_log')
export class AuditEntry {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId: string | null;

  @Column('text', { name: 'actor_type' })
  actorType: ActorType;

  @Column('text')
  action: string;

  @Column('text', { name: 'object_type' })
  objectType: string;

  @Column('uuid', { name: 'object_id' })
  objectId: string;

  @Column('jsonb')
  changes: Changes;

  @Column('text', { nullable: true })
  ip: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

import { Field, PageAnswer } from '@tieline/platform/http';
import { shownChanges } from './record-change.js';
import type { ActorType, AuditEntry, Changes } from './audit-entry.entity.js';

/** An entry of the audit log in the API. */
export class AuditEntryView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000e1' })
  id: string;

  @Field({
    example: '0198f3a2-7c1b-7000-8000-0000000000b1',
    nullable: true,
    description: 'null for the operator and for what the product does by itself',
  })
  actor_id: string | null;

  @Field({ enum: ['user', 'bot', 'operator', 'system'] })
  actor_type: ActorType;

  @Field({ example: 'user.updated' })
  action: string;

  @Field({ example: 'user' })
  object_type: string;

  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000b2' })
  object_id: string;

  @Field({ example: { role: { from: 'member', to: 'admin' } } })
  changes: Changes;

  @Field({ example: '203.0.113.7', nullable: true })
  ip: string | null;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  created_at: string;
}

export class AuditLogPage extends PageAnswer {
  @Field({ type: AuditEntryView, isArray: true })
  entries: AuditEntryView[];
}

export function auditEntryView(entry: AuditEntry): AuditEntryView {
  const { id, actorId, actorType, action, objectType, objectId, changes, ip, createdAt } = entry;
  return {
    id,
    actor_id: actorId,
    actor_type: actorType,
    action,
    object_type: objectType,
    object_id: objectId,
    // Older entries were recorded with queries.
    changes: shownChanges(changes),
    ip,
    created_at: createdAt.toISOString(),
  };
}

import type { AuditEntry, Changes } from './audit-entry.entity.js';

/** An entry of the audit log on the wire (decisions, section 7). */
export interface AuditEntryView {
  id: string;
  /** Null for the operator and for what the product does by itself. */
  actor_id: string | null;
  actor_type: string;
  action: string;
  object_type: string;
  object_id: string;
  changes: Changes;
  ip: string | null;
  created_at: string;
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
    changes,
    ip,
    created_at: createdAt.toISOString(),
  };
}

/** For the OpenAPI document. */
export const AUDIT_ENTRY_EXAMPLE: AuditEntryView = {
  id: '0198f3a2-7c1b-7000-8000-0000000000e1',
  actor_id: '0198f3a2-7c1b-7000-8000-0000000000b1',
  actor_type: 'user',
  action: 'user.updated',
  object_type: 'user',
  object_id: '0198f3a2-7c1b-7000-8000-0000000000b2',
  changes: { role: { from: 'member', to: 'admin' } },
  ip: '203.0.113.7',
  created_at: '2026-11-01T09:00:00.000Z',
};

import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { Origin } from '../audit-log/record-change.js';
import type { Role } from './roles.js';
import type { User } from './user.entity.js';

/** Outbox type of {@link PersonChanged}. */
export const PERSON_CHANGED = 'person.changed';

/** What bots can see of a person and what can change, in wire names. */
export const PERSON_CHANGES = ['display_name', 'role', 'is_active', 'email'] as const;
/** One of {@link PERSON_CHANGES}. */
export type PersonChange = (typeof PERSON_CHANGES)[number];

/** Outbox payload: a person was created, or something that bots can see of them changed. */
export interface PersonChanged {
  /** What changed; null for a new person. */
  changes: PersonChange[] | null;
  user: { id: string; display_name: string; role: Role; is_active: boolean; email: string };
  /** Empty if the system changed the person. */
  actor_id: string;
  /** RFC 3339 with milliseconds. */
  occurred_at: string;
}

type Person = Pick<User, 'spaceId' | 'id' | 'displayName' | 'role' | 'isActive' | 'email'>;

/**
 * Appends {@link PERSON_CHANGED} in the transaction of the change. Does nothing if bots can't see
 * what changed. @param before null for a new person
 */
export async function appendPersonChanged(
  tx: Tx,
  { before, after }: { before: Person | null; after: Person },
  { actorId }: Origin,
): Promise<void> {
  const user = shown(after);
  const old = before && shown(before);
  const changes = old && PERSON_CHANGES.filter((name) => old[name] !== user[name]);
  if (changes?.length === 0) return;
  const occurredAt = new Date().toISOString();
  const payload: PersonChanged = { changes, user, actor_id: actorId ?? '', occurred_at: occurredAt };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: after.spaceId, type: PERSON_CHANGED, payload });
}

function shown({ id, displayName, role, isActive, email }: Person): PersonChanged['user'] {
  return { id, display_name: displayName, role, is_active: isActive, email };
}

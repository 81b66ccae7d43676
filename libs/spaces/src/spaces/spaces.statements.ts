import { statement, text } from '@tieline/platform/database';
import type { Plan } from './space.js';

/** The plans of several spaces. */
export const PLANS_OF = statement(
  'spaces.list_plans',
  'SELECT id, plan FROM spaces WHERE id = ANY($1::uuid[])',
  { id: 'uuid', plan: text<Plan>() },
);

/** Serializes the creation of counted objects of a space. $1 kind, $2 space */
export const LOCK_KIND_OF_SPACE = statement(
  'spaces.lock_object_kind',
  'SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2)) IS NULL AS locked',
  { locked: 'bool' },
);

/** Locks a space's row against changes of its people, not against references to it. */
export const LOCK_SPACE = statement(
  'spaces.lock_space',
  'SELECT 1 AS locked FROM spaces WHERE id = $1 FOR NO KEY UPDATE',
  { locked: 'int4' },
);

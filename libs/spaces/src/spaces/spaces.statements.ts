import { statement, text } from '@tieline/platform/database';
import type { Plan } from './space.entity.js';

/** The plans of several spaces. */
export const PLANS_OF = statement(
  'spaces.plans_of',
  'SELECT id, plan FROM spaces WHERE id = ANY($1::uuid[])',
  { id: 'uuid', plan: text<Plan>() },
);

/** What is counted of a space is made one after the other. $1 what, $2 space */
export const LOCK_KIND_OF_SPACE = statement(
  'spaces.lock_kind',
  'SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2)) IS NULL AS locked',
  { locked: 'bool' },
);

/** Locks a space's row against those who change its people, not against those who refer to it. */
export const LOCK_SPACE = statement(
  'spaces.lock_space',
  'SELECT 1 AS locked FROM spaces WHERE id = $1 FOR NO KEY UPDATE',
  { locked: 'int4' },
);

import { statement, text } from '@tieline/platform/database';
import type { Plan } from './space.entity.js';

/** The plans of several spaces. */
export const PLANS_OF = statement(
  'spaces.plans_of',
  'SELECT id, plan FROM spaces WHERE id = ANY($1::uuid[])',
  { id: 'uuid', plan: text<Plan>() },
);

/** Locks a space's row against those who change its people, not against those who refer to it. */
export const LOCK_SPACE = statement(
  'spaces.lock_space',
  'SELECT 1 AS locked FROM spaces WHERE id = $1 FOR NO KEY UPDATE',
  { locked: 'int4' },
);

import { statement, text } from '@tieline/platform/database';
import type { Plan } from '@tieline/spaces';

/** None for an inactive space. $1 space */
export const PLAN_OF_SPACE = statement(
  'outgoing.plan_of_space',
  'SELECT plan FROM spaces WHERE id = $1 AND is_active',
  { plan: text<Plan>() },
);

/** Recoveries that are not over, of all spaces. */
export const RUNNING_RECOVERIES = statement(
  'outgoing.running_recoveries',
  `SELECT space_id AS "spaceId", id FROM outgoing_recoveries WHERE state = 'running' ORDER BY space_id, webhook_id`,
  { spaceId: 'uuid', id: 'uuid' },
);

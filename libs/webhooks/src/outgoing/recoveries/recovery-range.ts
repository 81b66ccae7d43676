import type { RecoverableRange } from '@tieline/delivery';
import { OUTGOING } from '../deliveries/outgoing-kind-name.js';
import { TEST_EVENT_TYPE } from '../planning/event-types.js';
import type { Recovery } from './recovery.entity.js';

/** Returns the range of the log that a recovery sends again. Excludes test deliveries. */
export function rangeOf({
  spaceId,
  webhookId,
  since,
  until,
  onlyFailed,
  eventTypes,
}: Pick<
  Recovery,
  'spaceId' | 'webhookId' | 'since' | 'until' | 'onlyFailed' | 'eventTypes'
>): RecoverableRange {
  const log = { spaceId, kind: OUTGOING, targetId: webhookId };
  return { ...log, since, until, onlyFailed, eventTypes, leftOut: TEST_EVENT_TYPE };
}

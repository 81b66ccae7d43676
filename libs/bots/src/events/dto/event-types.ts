import { ValidateBy } from 'class-validator';
import { chatEvents } from '@tieline/conversations';
import { assistantThreadStarted } from '../../dm/opened/assistant-thread-started.js';
import { dmOpened } from '../../dm/opened/dm-opened.js';
import { userCreated, userUpdated } from '../../people/user-events.js';

/** Events that are sent to bots alone, if they select them. */
export const SELECTED_BY_BOTS = [dmOpened, assistantThreadStarted, userCreated, userUpdated];

/**
 * The event types that a bot can subscribe to. MEMBER_* are emitted only with EMIT_MEMBER_EVENTS.
 */
export const SUBSCRIBABLE_EVENT_TYPES: readonly string[] = chatEvents.typesFor('bots', [
  ...chatEvents.all,
  ...SELECTED_BY_BOTS,
]);

/** Validates a DTO field with event types. Unknown and direct types (`button.click` …) are 400. */
export function IsEventTypes(): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    Array.isArray(value) && value.every((type) => SUBSCRIBABLE_EVENT_TYPES.includes(type as string));
  const defaultMessage = (): string => `event_types must be a list of ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}`;
  return ValidateBy({ name: 'isEventTypes', validator: { validate, defaultMessage } });
}

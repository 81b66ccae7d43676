import { ValidateBy } from 'class-validator';
import { chatEvents } from '@tieline/conversations';
import { dmOpened } from '../../dm/opened/dm-opened.js';

/**
 * The event types that a bot can subscribe to. MEMBER_* are emitted only with EMIT_MEMBER_EVENTS.
 */
export const SUBSCRIBABLE_EVENT_TYPES: readonly string[] = chatEvents.typesFor('bots', [
  ...chatEvents.all,
  dmOpened,
]);

/** Validates a DTO field with event types. Unknown and direct types (`button.click` …) are 400. */
export function IsEventTypes(): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    Array.isArray(value) && value.every((type) => SUBSCRIBABLE_EVENT_TYPES.includes(type as string));
  const defaultMessage = (): string => `event_types must be a list of ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}`;
  return ValidateBy({ name: 'isEventTypes', validator: { validate, defaultMessage } });
}

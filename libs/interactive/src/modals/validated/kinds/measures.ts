import { isCalendarDate, isTimeOfDay } from '../../../schema/calendar.js';
import { within } from './field-kind.js';
import type { FieldKind } from './field-kind.js';

const BOUNDS = ['min', 'max'] as const;

export const number: FieldKind = {
  attributes: BOUNDS,
  isBound: isNumber,
  read: (given, field) => (isNumber(given) ? within(given, field) : { error: 'Must be a number.' }),
};

/** An existing date as `YYYY-MM-DD`. */
export const date: FieldKind = {
  attributes: BOUNDS,
  isBound: isDate,
  read: (given, field) =>
    isDate(given) ? within(given, field) : { error: 'Must be a date such as 2026-12-01.' },
};

/** A time as `HH:MM` on a 24-hour clock. */
export const time: FieldKind = {
  attributes: BOUNDS,
  isBound: isTime,
  read: (given, field) => (isTime(given) ? within(given, field) : { error: 'Must be a time such as 09:30.' }),
};

function isNumber(given: unknown): given is number {
  return typeof given === 'number' && Number.isFinite(given);
}

function isDate(given: unknown): given is string {
  return typeof given === 'string' && isCalendarDate(given);
}

function isTime(given: unknown): given is string {
  return typeof given === 'string' && isTimeOfDay(given);
}

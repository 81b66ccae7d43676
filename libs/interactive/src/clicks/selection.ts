import { chatAccess } from '@tieline/conversations';
import type { Queryable } from '@tieline/platform/database';
import { isUuid } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { findActiveUsers } from '@tieline/spaces';
import { selectionMismatch, selectionInvalid } from '../interactive.errors.js';
import type { SelectionField } from '../interactive.errors.js';
import { isCalendarDate, isTimeOfDay } from '../schema/calendar.js';
import type { Choice, ChoiceSource } from '../schema/components.js';

type Fields = Readonly<Record<string, unknown>>;

/** The check for values of each source, and the error text if it fails. */
const RULES: Readonly<
  Record<ChoiceSource, { fits: (value: string, options: readonly string[]) => boolean; rule: string }>
> = {
  options: { fits: (value, options) => options.includes(value), rule: 'is not an option' },
  people: { fits: isUuid, rule: 'must be a person in this space' },
  conversations: { fits: isUuid, rule: 'must be a conversation you can read' },
  dates: { fits: isCalendarDate, rule: 'must be a valid date, as YYYY-MM-DD' },
  times: { fits: isTimeOfDay, rule: 'must be a time of day, as HH:MM' },
};

/**
 * Returns the values that a person chose in an element, after validating them. Reads
 * `selected_values`, or `selected_value` for single-value elements. Keeps the order and lowercases
 * ids.
 * @throws 400 that names the field
 */
export async function requireSelection(
  q: Queryable,
  user: UserPrincipal,
  choice: Choice,
  body: Fields,
): Promise<string[]> {
  const field: SelectionField =
    choice.many === null && body.selected_values == null ? 'selected_value' : 'selected_values';
  const values = field === 'selected_value' ? [body.selected_value] : listOf(choice, body);
  const chosen = values.map((value) => requireForm(choice, value, field));
  if (new Set(chosen).size < chosen.length) throw selectionInvalid(field, 'contains a value twice');
  if (!(await areVisible(q, user, choice.from, chosen)))
    throw selectionInvalid(field, RULES[choice.from].rule);
  return chosen;
}

function listOf({ many }: Choice, { selected_values: values, selected_value: one }: Fields): unknown[] {
  if (!Array.isArray(values)) throw selectionInvalid('selected_values', 'must be a list');
  const { min, max } = many ?? { min: 1, max: 1 };
  if (values.length < min || values.length > max)
    throw selectionInvalid('selected_values', `must have ${counted(min, max)}`);
  if (typeof one === 'string' && one !== '' && one !== values[0]) throw selectionMismatch();
  return values;
}

function counted(min: number, max: number): string {
  if (min !== max) return `${min} to ${max} values`;
  return min === 1 ? 'one value' : `${min} values`;
}

function requireForm({ from, options }: Choice, value: unknown, field: SelectionField): string {
  const { fits, rule } = RULES[from];
  if (typeof value !== 'string' || !fits(value, options)) throw selectionInvalid(field, rule);
  return from === 'people' || from === 'conversations' ? value.toLowerCase() : value;
}

/** Returns whether the person may see all chosen people and conversations. */
async function areVisible(
  q: Queryable,
  user: UserPrincipal,
  from: ChoiceSource,
  ids: readonly string[],
): Promise<boolean> {
  if (from === 'people') return (await findActiveUsers(q, user.spaceId, ids)).length === ids.length;
  if (from !== 'conversations') return true;
  const found = await Promise.all(ids.map((id) => chatAccess.reading(q, user, id)));
  return found.every((access) => access?.mayRead === true);
}

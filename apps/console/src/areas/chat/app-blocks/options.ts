import { asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';

/** An option to draw, with the object that the app sent. */
export interface ShownOption {
  id: string;
  label: string;
  hint: string;
  /** The option in Slack's shape. */
  option: Fields;
}

/** Options below one heading, or without one. */
export interface ShownGroup {
  label: string;
  options: ShownOption[];
}

/** Returns an option to draw. */
export const shownOption = (option: Fields): ShownOption => ({
  id: text(option.value),
  label: text(option.text) || text(option.value),
  hint: text(option.description),
  option,
});

/** Returns the options of an element or a suggestion, in one group without `option_groups`. */
export function groupsOf(from: unknown): ShownGroup[] {
  const { options, option_groups: groups } = asFields(from);
  const groupOf = (label: unknown, list: unknown) => ({
    label: text(label),
    options: objects(list).map(shownOption),
  });
  const shown = Array.isArray(groups)
    ? objects(groups).map((group) => groupOf(group.label, group.options))
    : [groupOf('', options)];
  return shown.filter((group) => group.options.length > 0);
}

/** Returns the options of all groups. */
export const optionsOf = (from: unknown): ShownOption[] => groupsOf(from).flatMap(({ options }) => options);

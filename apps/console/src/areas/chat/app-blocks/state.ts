import { asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';

/** Values of elements in Slack's shapes: by `block_id`, then by `action_id`. */
export type State = Readonly<Record<string, Readonly<Record<string, Fields>>>>;

/** Where an element is. */
export interface Place {
  blockId: string;
  actionId: string;
}

/** The field of a value and the field of the element with its initial value, by type. */
const FIELDS: Readonly<Record<string, readonly [string, string]>> = {
  static_select: ['selected_option', 'initial_option'],
  external_select: ['selected_option', 'initial_option'],
  radio_buttons: ['selected_option', 'initial_option'],
  users_select: ['selected_user', 'initial_user'],
  conversations_select: ['selected_conversation', 'initial_conversation'],
  channels_select: ['selected_channel', 'initial_channel'],
  multi_static_select: ['selected_options', 'initial_options'],
  multi_external_select: ['selected_options', 'initial_options'],
  checkboxes: ['selected_options', 'initial_options'],
  multi_users_select: ['selected_users', 'initial_users'],
  multi_conversations_select: ['selected_conversations', 'initial_conversations'],
  multi_channels_select: ['selected_channels', 'initial_channels'],
  datepicker: ['selected_date', 'initial_date'],
  timepicker: ['selected_time', 'initial_time'],
  datetimepicker: ['selected_date_time', 'initial_date_time'],
  plain_text_input: ['value', 'initial_value'],
  number_input: ['value', 'initial_value'],
  email_text_input: ['value', 'initial_value'],
  url_text_input: ['value', 'initial_value'],
  rich_text_input: ['rich_text_value', 'initial_value'],
  file_input: ['files', ''],
};

const isList = (field: string): boolean => field.endsWith('s');

/** The value of an element in Slack's shape, such as `{type, selected_date}`. */
export function valueOf(type: string, value: unknown): Fields {
  const [field] = FIELDS[type] ?? ['value'];
  return { type, [field]: value ?? (isList(field) ? [] : null) };
}

/** Returns what the value of an element holds: an option, a list, a text, or null. */
export function heldBy(type: string, value: Fields | undefined): unknown {
  const [field] = FIELDS[type] ?? ['value'];
  return value?.[field] ?? (isList(field) ? [] : null);
}

/** An element that holds a value, and its place. */
interface PlacedElement extends Place {
  element: Fields;
}

/** Returns the elements of blocks that hold a value, including those of nested blocks. */
export function statefulElements(blocks: readonly Fields[]): PlacedElement[] {
  return blocks.flatMap((block) => {
    const blockId = text(block.block_id);
    const own = [block.accessory, block.element, ...objects(block.elements)].map(asFields);
    return [
      ...own
        .filter((element) => FIELDS[text(element.type)] !== undefined)
        .map((element) => ({ blockId, actionId: text(element.action_id), element })),
      ...statefulElements(objects(block.child_blocks)),
    ];
  });
}

/**
 * Returns the state of blocks: values that the person has chosen before, else those of the app.
 *
 * @param before values are kept where the element still has the same place and type
 * @param conversation the current conversation, for `default_to_current_conversation`
 */
export function stateOf(blocks: readonly Fields[], before: State = {}, conversation?: string): State {
  const state: Record<string, Record<string, Fields>> = {};
  for (const { blockId, actionId, element } of statefulElements(blocks)) {
    const type = text(element.type);
    const kept = before[blockId]?.[actionId];
    state[blockId] = {
      ...state[blockId],
      [actionId]: kept?.type === type ? kept : valueOf(type, initialOf(type, element, conversation)),
    };
  }
  return state;
}

function initialOf(type: string, element: Fields, conversation?: string): unknown {
  const initial = element[FIELDS[type]?.[1] ?? ''];
  if (initial !== undefined || element.default_to_current_conversation !== true || !conversation)
    return initial;
  return type.startsWith('multi_') ? [conversation] : conversation;
}

/** Returns the state with the value of one element replaced. */
export const withValue = (state: State, { blockId, actionId }: Place, value: Fields): State => ({
  ...state,
  [blockId]: { ...state[blockId], [actionId]: value },
});

/** A value as endpoints accept it: files and options of the app by their ids. */
export function sentValue({ type, ...value }: Fields): Fields {
  if (type === 'file_input') return { files: objects(value.files).map(({ id }) => id) };
  if (type === 'external_select' || type === 'multi_external_select') return value;
  const idOf = (option: unknown) => ({ value: text(asFields(option).value) });
  return {
    ...value,
    ...(value.selected_option != null && { selected_option: idOf(value.selected_option) }),
    ...(Array.isArray(value.selected_options) && { selected_options: value.selected_options.map(idOf) }),
  };
}

/** A state as endpoints accept it. */
export const sentState = (state: State): State =>
  Object.fromEntries(
    Object.entries(state).map(([blockId, values]) => [
      blockId,
      Object.fromEntries(Object.entries(values).map(([actionId, value]) => [actionId, sentValue(value)])),
    ]),
  );

/** A text as a `rich_text` block, one section. */
export const richTextOf = (typed: string): Fields | null =>
  typed === ''
    ? null
    : {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: typed }] }],
      };

/** The text of a `rich_text` block. */
export const textOfRich = (block: unknown): string =>
  objects(asFields(block).elements)
    .map((part) => partText(part))
    .join('\n');

const partText = (part: Fields): string =>
  part.elements === undefined
    ? text(part.text) || text(part.url)
    : objects(part.elements)
        .map(partText)
        .join(part.type === 'rich_text_list' ? '\n' : '');

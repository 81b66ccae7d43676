import type { ComponentKeys } from './signing/component-keys.js';
import { signToken } from './signing/component-token.js';
import { isInteractiveBlock } from './interactive-schema.js';
import { isObject } from './json-object.js';

type Fields = Readonly<Record<string, unknown>>;

interface AnyComponent {
  actionId: string;
  /** The button's data, which its token signs; "" for other elements and without data. */
  data: string;
  /** Ids of the people who may see and use it, in lower case. Empty means every member. */
  visibleTo: string[];
}

interface Button extends AnyComponent {
  kind: 'button';
  /** Whether clients open a link instead of notifying the bot. */
  isLink: boolean;
}

/** An element with selectable values. */
export interface Choice extends AnyComponent {
  kind: 'choice';
  from: ChoiceSource;
  /** The values of its options, if it selects from options. */
  options: string[];
  /** Minimum and maximum number of choices; null means exactly one. */
  many: { min: number; max: number } | null;
}

/** Buttons for a judgment of the message. */
export interface Feedback extends AnyComponent {
  kind: 'feedback';
  /** The data of each button. */
  positive: string;
  negative: string;
}

/** An element of a stored message, with the fields that a click needs. */
export type Component = Button | Choice | Feedback;

/** Where the selectable values come from. */
export type ChoiceSource = 'options' | 'people' | 'conversations' | 'dates' | 'times';

const SOURCES: ReadonlyMap<unknown, ChoiceSource> = new Map([
  ['select', 'options'],
  ['multi_select', 'options'],
  ['overflow', 'options'],
  ['checkboxes', 'options'],
  ['radio', 'options'],
  ['user_select', 'people'],
  ['conversation_select', 'conversations'],
  ['date_picker', 'dates'],
  ['time_picker', 'times'],
]);
const OF_MANY: readonly unknown[] = ['multi_select', 'checkboxes'];

/** The key that signs elements, and the expiry of their tokens. */
export interface Signing {
  keys: ComponentKeys;
  spaceId: string;
  botId: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/**
 * Replaces each element of the interactive blocks by the result of `change`, or removes it if the
 * result is `undefined`. Everything else stays unchanged.
 */
export function mapComponents(metadata: Fields, change: (element: Fields) => Fields | undefined): Fields {
  if (!Array.isArray(metadata.blocks)) return metadata;
  const blocks = metadata.blocks.map((block: unknown) => {
    if (!isInteractiveBlock(block) || !Array.isArray(block.elements)) return block;
    return {
      ...block,
      elements: block.elements.filter(isObject).flatMap((element) => change(element) ?? []),
    };
  });
  return { ...metadata, blocks };
}

/** Returns whether every element is a link, so that no click reaches the bot. */
export function hasOnlyLinks(metadata: Fields): boolean {
  const kinds = new Set<boolean>();
  mapComponents(metadata, (element) => {
    kinds.add(element.type === 'button' && isLink(element));
    return element;
  });
  return kinds.has(true) && !kinds.has(false);
}

/**
 * Returns the metadata with a new `signed_token` in every element, replacing any value from the
 * bot. The metadata must have passed the schema checks.
 */
export function signComponents(metadata: Fields, { keys, spaceId, botId, expiresAt }: Signing): Fields {
  return mapComponents(metadata, (element) => ({
    ...element,
    ...(element[idsField(element)] != null && { [idsField(element)]: visibleTo(element) }),
    signed_token: signToken(
      keys,
      { spaceId, botId, actionId: element.action_id as string, data: dataOf(element) },
      expiresAt,
    ),
  }));
}

/** Returns the element with this action_id in a stored message; undefined if there is none. */
export function findComponent(
  metadataJson: string | null | undefined,
  actionId: string,
): Component | undefined {
  if (metadataJson == null) return undefined;
  let found: Component | undefined;
  mapComponents(JSON.parse(metadataJson) as Fields, (element) => {
    if (element.action_id === actionId) found ??= componentOf(element);
    return element;
  });
  return found;
}

/** Stored metadata with feedback buttons has this text. A match can be a false positive. */
const MAYBE_FEEDBACK = '"type":"feedback_buttons"';

/** Returns whether a stored message asks people for feedback. */
export function hasFeedbackButtons(metadataJson: string | null): boolean {
  if (metadataJson === null || !metadataJson.includes(MAYBE_FEEDBACK)) return false;
  let found = false;
  mapComponents(JSON.parse(metadataJson) as Fields, (element) => {
    found ||= element.type === 'feedback_buttons';
    return element;
  });
  return found;
}

/** Returns whether the blocks of a message of a Slack app ask people for feedback. */
export function sourceHasFeedbackButtons(sourceJson: string | null): boolean {
  if (sourceJson === null || !sourceJson.includes(MAYBE_FEEDBACK)) return false;
  const { blocks = [] } = JSON.parse(sourceJson) as { blocks?: readonly object[] };
  return JSON.stringify(blocks).includes(MAYBE_FEEDBACK);
}

/**
 * Returns the ids of the people who may see an element, in lower case. Empty means every member.
 */
export function visibleTo(element: Fields): string[] {
  const ids = element.type === 'feedback_buttons' ? undefined : element[idsField(element)];
  return Array.isArray(ids) ? ids.map((id: unknown) => String(id).toLowerCase()) : [];
}

/** Returns an element without the ids of the people who may see it. */
export function withoutIds(element: Fields): Fields {
  const { [idsField(element)]: _, ...shown } = element;
  return shown;
}

/** The field of an element that names the people who may see it. */
function idsField({ type }: Fields): string {
  return type === 'icon_button' ? 'visible_to' : 'visibility_user_ids';
}

function componentOf(element: Fields): Component | undefined {
  const common = {
    actionId: element.action_id as string,
    data: dataOf(element),
    visibleTo: visibleTo(element),
  };
  if (element.type === 'button') return { kind: 'button', ...common, isLink: isLink(element) };
  if (element.type === 'icon_button') return { kind: 'button', ...common, isLink: false };
  if (element.type === 'feedback_buttons')
    return {
      kind: 'feedback',
      ...common,
      positive: pressData(element.positive),
      negative: pressData(element.negative),
    };
  const from = SOURCES.get(element.type);
  if (from === undefined) return undefined;
  const options = Array.isArray(element.options)
    ? element.options.filter(isObject).map(({ value }) => String(value))
    : [];
  return { kind: 'choice', ...common, from, options, many: boundsOf(element, options.length) };
}

/** The check is needed because messages from before link buttons may have any value here. */
function isLink({ url }: Fields): boolean {
  return typeof url === 'string' && /^https:/i.test(url);
}

/** Stored bounds have been validated, so anything but a number means absent. */
function boundsOf({ type, min_selected: min, max_selected: max }: Fields, offered: number): Choice['many'] {
  if (!OF_MANY.includes(type)) return null;
  return { min: typeof min === 'number' ? min : 0, max: typeof max === 'number' ? max : offered };
}

function dataOf({ type, data }: Fields): string {
  return (type === 'button' || type === 'icon_button') && typeof data === 'string' ? data : '';
}

function pressData(button: unknown): string {
  return isObject(button) && typeof button.data === 'string' ? button.data : '';
}

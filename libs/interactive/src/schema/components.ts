import type { ComponentKeys } from './signing/component-keys.js';
import { signToken } from './signing/component-token.js';
import { isActionsBlock } from './interactive-schema.js';
import { isObject } from './json-object.js';

type Fields = Readonly<Record<string, unknown>>;

interface AnyComponent {
  actionId: string;
  /** "" for all but buttons, and for buttons without. */
  data: string;
  /** Who may see and use it, in lower case; empty: every member. */
  visibleTo: string[];
}

interface Button extends AnyComponent {
  kind: 'button';
  /** Whether clients open an address instead of telling the bot. */
  isLink: boolean;
}

/** An element that something is chosen in. */
export interface Choice extends AnyComponent {
  kind: 'choice';
  from: ChoiceSource;
  /** The values that it offers, where it chooses from options. */
  options: string[];
  /** How many have to be chosen and can be; null: exactly one. */
  many: { min: number; max: number } | null;
}

/** An element of a stored message, as a click needs it. */
export type Component = Button | Choice;

/** What values are chosen from. */
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

/** What elements are signed with, and until when their tokens are good. */
export interface Signing {
  keys: ComponentKeys;
  spaceId: string;
  botId: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/**
 * Puts another element in the place of each one of the interactive blocks; `undefined` takes it
 * out. All else stays.
 */
export function mapComponents(metadata: Fields, change: (element: Fields) => Fields | undefined): Fields {
  if (!Array.isArray(metadata.blocks)) return metadata;
  const blocks = metadata.blocks.map((block: unknown) => {
    if (!isActionsBlock(block) || !Array.isArray(block.elements)) return block;
    return {
      ...block,
      elements: block.elements.filter(isObject).flatMap((element) => change(element) ?? []),
    };
  });
  return { ...metadata, blocks };
}

/** Whether clients open an address for every element, so that the bot is told of no click. */
export function hasOnlyLinks(metadata: Fields): boolean {
  const kinds = new Set<boolean>();
  mapComponents(metadata, (element) => {
    kinds.add(element.type === 'button' && isLink(element));
    return element;
  });
  return kinds.has(true) && !kinds.has(false);
}

/**
 * The metadata with a fresh `signed_token` in every element, whatever the bot had put there. The
 * schema was kept.
 */
export function signComponents(metadata: Fields, { keys, spaceId, botId, expiresAt }: Signing): Fields {
  return mapComponents(metadata, (element) => ({
    ...element,
    ...(element.visibility_user_ids != null && { visibility_user_ids: visibleTo(element) }),
    signed_token: signToken(
      keys,
      { spaceId, botId, actionId: element.action_id as string, data: dataOf(element) },
      expiresAt,
    ),
  }));
}

/**
 * The element with this action_id among those that a stored message shows; undefined when it shows
 * none.
 */
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

/** Who may see an element, in lower case; empty: every member. */
export function visibleTo({ visibility_user_ids: ids }: Fields): string[] {
  return Array.isArray(ids) ? ids.map((id: unknown) => String(id).toLowerCase()) : [];
}

function componentOf(element: Fields): Component | undefined {
  const common = {
    actionId: element.action_id as string,
    data: dataOf(element),
    visibleTo: visibleTo(element),
  };
  if (element.type === 'button') return { kind: 'button', ...common, isLink: isLink(element) };
  const from = SOURCES.get(element.type);
  if (from === undefined) return undefined;
  const options = Array.isArray(element.options)
    ? element.options.filter(isObject).map(({ value }) => String(value))
    : [];
  return { kind: 'choice', ...common, from, options, many: boundsOf(element, options.length) };
}

/** Messages that are older than links may have anything there. */
function isLink({ url }: Fields): boolean {
  return typeof url === 'string' && /^https:/i.test(url);
}

/** What is stored has been validated, so that what is no number is absent. */
function boundsOf({ type, min_selected: min, max_selected: max }: Fields, offered: number): Choice['many'] {
  if (!OF_MANY.includes(type)) return null;
  return { min: typeof min === 'number' ? min : 0, max: typeof max === 'number' ? max : offered };
}

function dataOf({ type, data }: Fields): string {
  return type === 'button' && typeof data === 'string' ? data : '';
}

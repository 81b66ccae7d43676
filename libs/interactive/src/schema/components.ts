import type { ComponentKeys } from './signing/component-keys.js';
import { signToken } from './signing/component-token.js';
import { isActionsBlock } from './interactive-schema.js';
import { isObject } from './json-object.js';

type Fields = Readonly<Record<string, unknown>>;

/** A button or select of a stored message, as a click needs it. */
export interface Component {
  kind: 'button' | 'select';
  actionId: string;
  /** "" for selects and for buttons without. */
  data: string;
  /** The values that a select offers; none for a button. */
  options: string[];
  /** Who may see and use it, in lower case; empty: every member. */
  visibleTo: string[];
}

/** What elements are signed with, and until when their tokens are good. */
export interface Signing {
  keys: ComponentKeys;
  spaceId: string;
  botId: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** Puts another element in the place of each one of the interactive blocks; `undefined` takes it out. All else stays. */
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

/** The metadata with a fresh `signed_token` in every element, whatever the bot had put there. The schema was kept. */
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

/** The element with this action_id among those that a stored message shows; undefined when it shows none. */
export function findComponent(
  metadataJson: string | null | undefined,
  actionId: string,
): Component | undefined {
  if (metadataJson == null) return undefined;
  let found: Component | undefined;
  mapComponents(JSON.parse(metadataJson) as Fields, (element) => {
    if (element.action_id === actionId && (element.type === 'button' || element.type === 'select'))
      found ??= componentOf(element, element.type);
    return element;
  });
  return found;
}

/** Who may see an element, in lower case; empty: every member. */
export function visibleTo({ visibility_user_ids: ids }: Fields): string[] {
  return Array.isArray(ids) ? ids.map((id: unknown) => String(id).toLowerCase()) : [];
}

function componentOf(element: Fields, kind: Component['kind']): Component {
  const options =
    kind === 'select' && Array.isArray(element.options)
      ? element.options.filter(isObject).map(({ value }) => String(value))
      : [];
  return {
    kind,
    actionId: element.action_id as string,
    data: dataOf(element),
    options,
    visibleTo: visibleTo(element),
  };
}

function dataOf({ type, data }: Fields): string {
  return type === 'button' && typeof data === 'string' ? data : '';
}

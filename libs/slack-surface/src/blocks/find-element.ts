import { ELEMENT_RULES } from './element-rules.js';
import { isObject, objectsIn } from './rules.js';
import type { Json } from './rules.js';

/** The field of a block that has elements. */
export const ELEMENT_FIELDS: ReadonlyMap<string, 'actions' | 'elements' | 'element' | 'accessory'> = new Map([
  ['actions', 'elements'],
  ['card', 'actions'],
  ['context_actions', 'elements'],
  ['input', 'element'],
  ['section', 'accessory'],
]);

/** The field of a block that has other blocks. These have no further blocks inside. */
export const BLOCK_FIELDS: ReadonlyMap<string, 'elements' | 'child_blocks'> = new Map([
  ['carousel', 'elements'],
  ['container', 'child_blocks'],
]);

/** An element that people can use, and its block. */
export interface BlockElement {
  readonly block: Json;
  readonly element: Json;
}

/** Returns blocks with those inside of them, in their order. */
export function flatBlocks(blocks: readonly Json[]): Json[] {
  return blocks.flatMap((block) => {
    const field = BLOCK_FIELDS.get(String(block['type']));
    return field === undefined ? [block] : [block, ...objectsIn(block[field])];
  });
}

/** Returns every element of blocks that people can use, in their order. */
export function elementsIn(blocks: readonly Json[]): BlockElement[] {
  return flatBlocks(blocks).flatMap((block) => {
    const field = ELEMENT_FIELDS.get(String(block['type']));
    const value = field && block[field];
    return (Array.isArray(value) ? value : [value])
      .filter((element) => isObject(element) && ELEMENT_RULES.has(String(element['type'])))
      .map((element) => ({ block, element: element as Json }));
  });
}

/** Returns the element with these ids, or undefined. */
export function findElement(
  blocks: readonly Json[],
  blockId: string,
  actionId: string,
): BlockElement | undefined {
  return elementsIn(blocks).find(
    ({ block, element }) => block['block_id'] === blockId && element['action_id'] === actionId,
  );
}

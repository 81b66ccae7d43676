import { ELEMENT_RULES } from './element-rules.js';
import { isObject } from './rules.js';
import type { Json } from './rules.js';

/** The field of a block that has elements. */
export const ELEMENT_FIELDS: ReadonlyMap<string, 'elements' | 'element' | 'accessory'> = new Map([
  ['actions', 'elements'],
  ['context_actions', 'elements'],
  ['input', 'element'],
  ['section', 'accessory'],
]);

/** An element that people can use, and its block. */
export interface BlockElement {
  readonly block: Json;
  readonly element: Json;
}

/** Returns every element of blocks that people can use, in their order. */
export function elementsIn(blocks: readonly Json[]): BlockElement[] {
  return blocks.flatMap((block) => {
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

import { isObject, objectsIn } from '../blocks/rules.js';
import type { Json } from '../blocks/rules.js';
import { ownText } from '../text/own-text.js';

/** Fields with a text object, in the order in which they are drawn. */
const TEXTS = ['title', 'subtitle', 'text', 'body', 'subtext', 'label', 'placeholder'] as const;
/** Fields with a part, or a list of parts. */
const PARTS = ['elements', 'element', 'accessory', 'actions', 'child_blocks'] as const;
/** A container, an `actions` block inside of it, and its elements. */
const MAX_DEPTH = 3;

/**
 * Returns the texts of blocks, such as labels of buttons and titles of cards: one line per block.
 * Messages without any other text get it for search and notifications.
 */
export function textOfBlocks(blocks: readonly Json[]): string {
  return blocks
    .map((block) => textsIn(block, MAX_DEPTH).join(' · '))
    .filter((line) => line !== '')
    .join('\n');
}

function textsIn(part: Json, depth: number): string[] {
  const own = TEXTS.map((name) => textOf(part[name])).filter((text) => text.trim() !== '');
  if (depth === 1) return own;
  const inner = PARTS.flatMap((name) => objectsIn([part[name]].flat()));
  return [...own, ...inner.flatMap((one) => textsIn(one, depth - 1))];
}

function textOf(value: unknown): string {
  if (!isObject(value) || typeof value['text'] !== 'string') return '';
  return ownText(value['text'], { isLiteral: value['type'] !== 'mrkdwn' });
}

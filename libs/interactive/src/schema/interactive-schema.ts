import { bodyReader } from '@tieline/platform/http';
import { schemaViolation } from '../interactive.errors.js';
import { ActionsBlockDto } from './dto/actions-block.dto.js';
import { ContextActionsBlockDto } from './dto/context-actions-block.dto.js';
import { isObject } from './json-object.js';
import { checkRichLimits } from './rich-limits.js';

/*
 * Blocks without elements to click are stored unchanged within their limits; clients skip types
 * they do not know. 5 blocks of a type with 5 elements each give its limit of 25 elements per
 * message.
 */

const MAX_BLOCKS = 50;
const MAX_INTERACTIVE_BLOCKS = 5;
const VERSION = 1;

interface InteractiveBlock {
  elements: { type?: string; action_id: string }[];
}

/** The readers of interactive blocks, by type. */
const READERS: ReadonlyMap<unknown, (block: unknown, place: string) => InteractiveBlock> = new Map<
  unknown,
  (block: unknown, place: string) => InteractiveBlock
>([
  ['actions', bodyReader(ActionsBlockDto)],
  ['context_actions', bodyReader(ContextActionsBlockDto)],
]);

/** The types of interactive blocks. */
export const INTERACTIVE_TYPES = [...READERS.keys()] as string[];

/** Returns whether a block is interactive. */
export function isInteractiveBlock(block: unknown): block is { type: string; elements: unknown } {
  return isObject(block) && READERS.has(block.type);
}

/** Returns whether metadata has an interactive block. */
export function hasInteractiveBlock({ blocks }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(blocks) && blocks.some(isInteractiveBlock);
}

/**
 * Validates the blocks of a metadata object in linear time.
 * @returns whether there are interactive blocks
 * @throws 400 that names the place and the first broken rule: `blocks[1].elements[0].action_id: is
 *   required`
 */
export function checkInteractiveSchema({ version, blocks }: Readonly<Record<string, unknown>>): boolean {
  if (blocks === undefined || blocks === null) return false;
  if (!Array.isArray(blocks)) throw schemaViolation('blocks', 'must be a list');
  if (blocks.length > MAX_BLOCKS) throw schemaViolation('blocks', `at most ${MAX_BLOCKS}`);
  for (const [index, block] of blocks.entries()) checkRichLimits(block, `blocks[${index}]`);
  const interactive = [...blocks.entries()].filter(([, block]) => isInteractiveBlock(block));
  if (interactive.length === 0) return false;
  for (const type of INTERACTIVE_TYPES)
    if (interactive.filter(([, block]) => block.type === type).length > MAX_INTERACTIVE_BLOCKS)
      throw schemaViolation('blocks', `at most ${MAX_INTERACTIVE_BLOCKS} of type ${type}`);
  if (version !== VERSION)
    throw schemaViolation('version', `must be the number ${VERSION} when there are interactive blocks`);
  requireDistinctElements(interactive.map(([index, block]) => [index, readBlock(block, `blocks[${index}]`)]));
  return true;
}

function readBlock(block: { type: string }, place: string): InteractiveBlock {
  const read = READERS.get(block.type);
  if (!read) throw new Error(`no reader for blocks of type ${block.type}`);
  return read(block, place);
}

/** Action ids are unique in a message, and it asks for feedback once. */
function requireDistinctElements(blocks: readonly (readonly [number, InteractiveBlock])[]): void {
  const seen = new Set<string>();
  let asksForFeedback = false;
  for (const [block, { elements }] of blocks) {
    for (const [index, { type, action_id: id }] of elements.entries()) {
      const place = `blocks[${block}].elements[${index}]`;
      if (seen.has(id)) throw schemaViolation(`${place}.action_id`, 'is used twice in this message');
      if (type === 'feedback_buttons' && asksForFeedback)
        throw schemaViolation(place, 'at most 1 of type feedback_buttons in a message');
      asksForFeedback ||= type === 'feedback_buttons';
      seen.add(id);
    }
  }
}

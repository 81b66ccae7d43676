import { bodyReader } from '@tieline/platform/http';
import { schemaViolation } from '../interactive.errors.js';
import { ActionsBlockDto } from './dto/actions-block.dto.js';
import { isObject } from './json-object.js';
import { checkRichLimits } from './rich-limits.js';

/*
 * Blocks of other types than `actions` are stored unchanged within their limits; clients skip types
 * they do not know. 5 blocks with 5 elements each give the limit of 25 elements per message.
 */

const MAX_BLOCKS = 50;
const MAX_ACTIONS_BLOCKS = 5;
const VERSION = 1;

const readActionsBlock = bodyReader(ActionsBlockDto);

/** Returns whether a block is interactive. */
export function isActionsBlock(block: unknown): block is { type: 'actions'; elements: unknown } {
  return isObject(block) && block.type === 'actions';
}

/** Returns whether metadata has an interactive block. */
export function hasActionsBlock({ blocks }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(blocks) && blocks.some(isActionsBlock);
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
  const actions = [...blocks.entries()].filter(([, block]) => isActionsBlock(block));
  if (actions.length === 0) return false;
  if (actions.length > MAX_ACTIONS_BLOCKS)
    throw schemaViolation('blocks', `at most ${MAX_ACTIONS_BLOCKS} of type actions`);
  if (version !== VERSION)
    throw schemaViolation('version', `must be the number ${VERSION} when there are interactive blocks`);
  requireDistinctActions(
    actions.map(([index, block]) => [index, readActionsBlock(block, `blocks[${index}]`)]),
  );
  return true;
}

function requireDistinctActions(actions: readonly (readonly [number, ActionsBlockDto])[]): void {
  const seen = new Set<string>();
  for (const [block, { elements }] of actions) {
    for (const [index, { action_id }] of elements.entries()) {
      if (seen.has(action_id))
        throw schemaViolation(
          `blocks[${block}].elements[${index}].action_id`,
          'is used twice in this message',
        );
      seen.add(action_id);
    }
  }
}

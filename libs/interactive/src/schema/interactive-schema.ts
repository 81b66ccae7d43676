import { schemaViolation } from '../interactive.errors.js';
import { anyText, isObject, list, matching, object, oneOf, optional, text, uuid } from './schema-rules.js';
import type { Rule } from './schema-rules.js';

/*
 * The interactive schema of metadata_json (contract, "Interactive schema" and Limits; decisions, sections 3 and 5).
 * Blocks of other types than `actions` are kept and not looked at: clients skip what they do not know. 25 elements per
 * message follow from 5 blocks of 5.
 */

const MAX_BLOCKS = 50;
const MAX_ACTIONS_BLOCKS = 5;
const MAX_ELEMENTS = 5;
const VERSION = 1;

const VISIBLE_TO = optional(list({ max: 100, of: uuid }));
const CONFIRM = object({
  title: optional(text({ max: 75 })),
  text: optional(text({ max: 300 })),
  confirm_label: optional(anyText),
  cancel_label: optional(anyText),
});
const OPTION = object({ value: text({ min: 1, max: 150 }), label: text({ min: 1, max: 75 }) });
const ACTION_ID = matching(/^[a-z0-9_-]{1,64}$/);

const ELEMENTS: Readonly<Record<string, Rule>> = {
  button: object({
    action_id: ACTION_ID,
    text: text({ min: 1, max: 75 }),
    // "" is unset.
    style: optional(oneOf('primary', 'danger', 'default', '')),
    data: optional(text({ max: 2000 })),
    visibility_user_ids: VISIBLE_TO,
    confirm: optional(CONFIRM),
  }),
  select: object({
    action_id: ACTION_ID,
    placeholder: optional(text({ max: 100 })),
    options: list({ min: 1, max: 25, of: OPTION, unique: 'value' }),
    visibility_user_ids: VISIBLE_TO,
  }),
};
const ELEMENT_TYPES = new Map(Object.entries(ELEMENTS));

/** A button or a select that keeps the schema. */
const element: Rule = (value, place) => {
  if (!isObject(value)) throw schemaViolation(place, 'must be an object');
  const rule = ELEMENT_TYPES.get(value.type as string);
  if (!rule) throw schemaViolation(`${place}.type`, `must be ${[...ELEMENT_TYPES.keys()].join(' or ')}`);
  rule(value, place);
};
const ACTIONS_BLOCK = object({ elements: list({ max: MAX_ELEMENTS, of: element }) });

/** Whether a block is an interactive one. */
export function isActionsBlock(block: unknown): block is { type: 'actions'; elements: unknown } {
  return isObject(block) && block.type === 'actions';
}

/**
 * Judges the blocks of a metadata object; takes time linear in its size.
 * @returns whether there are interactive blocks
 * @throws 400 that names the first broken rule and its place: `blocks[1].elements[0].action_id: is required`
 */
export function checkInteractiveSchema({ version, blocks }: Readonly<Record<string, unknown>>): boolean {
  if (blocks === undefined || blocks === null) return false;
  if (!Array.isArray(blocks)) throw schemaViolation('blocks', 'must be a list');
  if (blocks.length > MAX_BLOCKS) throw schemaViolation('blocks', `at most ${MAX_BLOCKS}`);
  const actions = [...blocks.entries()].filter(([, block]) => isActionsBlock(block));
  if (actions.length === 0) return false;
  if (actions.length > MAX_ACTIONS_BLOCKS)
    throw schemaViolation('blocks', `at most ${MAX_ACTIONS_BLOCKS} of type actions`);
  if (version !== VERSION)
    throw schemaViolation('version', `must be the number ${VERSION} where there are interactive blocks`);
  for (const [index, block] of actions) ACTIONS_BLOCK(block, `blocks[${index}]`);
  requireDistinctActions(actions as [number, { elements: { action_id: string }[] }][]);
  return true;
}

/** The elements have been judged: each has an action_id. */
function requireDistinctActions(
  actions: readonly [number, { elements: readonly { action_id: string }[] }][],
): void {
  const seen = new Set<string>();
  for (const [block, { elements }] of actions) {
    for (const [index, { action_id }] of elements.entries()) {
      if (seen.has(action_id))
        throw schemaViolation(
          `blocks[${block}].elements[${index}].action_id`,
          'is there twice in this message',
        );
      seen.add(action_id);
    }
  }
}

import { randomBytes } from 'node:crypto';
import { ELEMENT_RULES } from './element-rules.js';
import { BLOCK_FIELDS, ELEMENT_FIELDS } from './find-element.js';
import {
  address,
  boolean,
  isObject,
  list,
  oneOf,
  optional,
  Place,
  plainText,
  shape,
  string,
  textObject,
} from './rules.js';
import type { Json, Rule } from './rules.js';

/** Limits of Slack. */
export const MAX_MESSAGE_BLOCKS = 50;
export const MAX_VIEW_BLOCKS = 100;
const MAX_ELEMENTS = 25;
const MAX_CONTEXT_ACTIONS = 5;
const MAX_CONTEXT = 10;
const MAX_FIELDS = 10;
const MAX_INNER_BLOCKS = 10;

/** Fields of blocks with several elements. */
const LISTS: ReadonlySet<string> = new Set(['actions', 'elements']);

/** How blocks are read. */
export interface BlocksReading {
  /** The most blocks. */
  max: number;
  /** Name of the error. */
  error: string;
  /** Where the blocks are in the arguments of the method, such as `/blocks`. */
  pointer: string;
  /** Receives what is not shown. */
  warn: (text: string) => void;
}

const ANY_TEXT = (max: number): Rule => textObject(max, 'plain_text', 'mrkdwn');
const IMAGE = shape({ alt_text: string(2000), image_url: optional(address) });

/** Blocks without elements that are checked. Others are shown as far as possible. */
const BLOCK_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['header', shape({ text: plainText(150) })],
  ['image', IMAGE],
  ['markdown', shape({ text: string(12_000, { min: 1 }) })],
  ['rich_text', shape({ elements: list(shape({}), { min: 0, max: 1000 }) })],
  ['context', shape({ elements: list(shape({}), { max: MAX_CONTEXT }) })],
  [
    'section',
    (value, at) => {
      const { text, fields } = value as Json;
      if (text === undefined && fields === undefined) at.fail("must define either 'fields' or 'text'");
      optional(ANY_TEXT(3000))(text, at.at('text'));
      optional(list(ANY_TEXT(2000), { max: MAX_FIELDS }))(fields, at.at('fields'));
    },
  ],
  [
    'input',
    shape({
      label: plainText(2000),
      hint: optional(plainText(2000)),
      optional: optional(boolean),
      dispatch_action: optional(boolean),
      element: shape({}),
    }),
  ],
  ['actions', shape({ elements: list(shape({}), { max: MAX_ELEMENTS }) })],
  ['context_actions', shape({ elements: list(shape({}), { max: MAX_CONTEXT_ACTIONS }) })],
  ['card', shape({ actions: optional(list(shape({}), { min: 0, max: MAX_ELEMENTS })) })],
  ['carousel', shape({ elements: list(shape({ type: oneOf('card') }), { max: MAX_INNER_BLOCKS }) })],
  ['container', shape({ child_blocks: list(shape({}), { max: MAX_INNER_BLOCKS }) })],
]);
/** Blocks that the console draws without further checks. */
const DRAWN = new Set([
  ...BLOCK_RULES.keys(),
  ...['alert', 'data_table', 'divider', 'file', 'plan', 'table', 'task_card', 'video'],
]);
/**
 * Reads blocks. Elements that people can use get the ids that they lack, so that each can be named
 * by `block_id` and `action_id`. Unknown blocks and elements stay, with a warning.
 * @throws SlackError that names the place
 */
export function readBlocks(given: readonly Json[], { max, error, pointer, warn }: BlocksReading): Json[] {
  const at = new Place(pointer, error, warn);
  if (given.length > max) at.fail(`no more than ${max} items allowed`);
  const names = new Set<string>();
  return given.map((block, index) => readBlock(block, at.at(index), names));
}

function readBlock(block: Json, at: Place, names: Set<string>): Json {
  const { type, block_id: id } = block;
  if (typeof type !== 'string') at.fail('every block must have a type');
  optional(string(255, { min: 1 }))(id, at.at('block_id'));
  if (typeof id === 'string' && names.has(id)) at.at('block_id').fail('block_id already exists');
  if (typeof id === 'string') names.add(id);
  if (!DRAWN.has(type)) at.warn(`blocks of type ${type.slice(0, 40)} are not shown`);
  BLOCK_RULES.get(type)?.(block, at);
  const field = BLOCK_FIELDS.get(type);
  if (field === undefined) return withElements(block, type, at, names);
  return { ...block, [field]: readInner(block[field] as readonly Json[], at.at(field), names) };
}

/** Reads the blocks inside of a block. */
function readInner(blocks: readonly Json[], at: Place, names: Set<string>): Json[] {
  return blocks.map((block, index) => {
    const place = at.at(index);
    if (BLOCK_FIELDS.has(String(block['type']))) place.fail('must not be inside of another block');
    return readBlock(block, place, names);
  });
}

function withElements(block: Json, type: string, at: Place, names: Set<string>): Json {
  const field = ELEMENT_FIELDS.get(type);
  const value = field && block[field];
  if (field === undefined || value === undefined || value === null) return block;
  const actions = new Set<string>();
  const place = at.at(field);
  if (!LISTS.has(field) && !isObject(value)) place.fail('must be an object');
  const read = Array.isArray(value)
    ? value.map((one, index) => readElement(one as Json, place.at(index), actions))
    : readElement(value as Json, place, actions);
  if (actions.size === 0) return block;
  return { ...block, block_id: block['block_id'] ?? newId(names), [field]: read };
}

/** @param actions the `action_id` of the block so far, to which this one is added */
function readElement(element: Json, at: Place, actions: Set<string>): Json {
  const { type, action_id: id } = element;
  const rule = ELEMENT_RULES.get(String(type));
  if (!rule) {
    if (type === 'image') IMAGE(element, at);
    else at.warn(`elements of type ${String(type).slice(0, 40)} are not shown`);
    return element;
  }
  rule(element, at);
  if (typeof id === 'string') {
    if (actions.has(id)) at.at('action_id').fail('action_id already exists in this block');
    actions.add(id);
    return element;
  }
  return { ...element, action_id: newId(actions) };
}

/** Returns an id that is not in the set, and adds it. */
function newId(names: Set<string>): string {
  let id: string;
  do id = randomBytes(4).toString('base64url');
  while (names.has(id));
  names.add(id);
  return id;
}

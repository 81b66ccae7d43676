import { contextElement, element } from './element-rules.js';
import { characters, isMissing, isObject, list, object, throwIfProblem } from './rules.js';
import type { Check, Fields, Problem } from './rules.js';

/** Rules of message blocks and metadata (docs/blocks.md#blocks). */

const MAX_BYTES = 32 * 1024;
const MAX_BLOCKS = 50;
const MAX_ROWS = 5;
const MAX_PARTS = 10;
const MAX_TEXT = 3000;

/** Checks of interactive blocks. */
const ROWS: ReadonlyMap<unknown, Check> = new Map([
  ['actions', object({ elements: list({ max: 5 }, element) })],
  ['context_actions', object({ elements: list({ max: 5 }, contextElement) })],
]);

/** Checks a text element, or a bare text in its place. */
const shortText: Check = (value, place) => {
  const words = isObject(value) ? value.text : value;
  const isLong = typeof words === 'string' && characters(words) > MAX_TEXT;
  return isLong
    ? { place: isObject(value) ? `${place}.text` : place, rule: `at most ${MAX_TEXT} characters` }
    : undefined;
};

const parts: Check = (value, place, owner) =>
  Array.isArray(value) ? list({ max: MAX_PARTS }, shortText)(value, place, owner) : undefined;

/** Limits of display-only blocks. Their structure is not checked. */
const LIMITS_BY_TYPE: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  header: { text: shortText },
  section: { text: shortText, fields: parts },
  context: { elements: parts },
  image: { title: shortText },
};

/** Checks a block. */
export const block: Check = (value, place, owner) => {
  if (!isObject(value)) return undefined;
  return ROWS.get(value.type)?.(value, place, owner) ?? shownProblem(value, place);
};

function shownProblem(value: Fields, place: string): Problem | undefined {
  for (const [name, check] of Object.entries(LIMITS_BY_TYPE[String(value.type)] ?? {})) {
    const problem = check(value[name], place === '' ? name : `${place}.${name}`, value);
    if (problem) return problem;
  }
  return undefined;
}

/** Returns the first problem of a message's blocks and metadata, if any. */
function metadataProblem(metadata: Fields): Problem | undefined {
  const json = JSON.stringify(metadata);
  if (new TextEncoder().encode(json).length > MAX_BYTES)
    return { place: 'metadata_json', rule: 'too large (max 32 KiB)' };
  const { version, blocks } = metadata;
  if (isMissing(blocks)) return undefined;
  if (!Array.isArray(blocks)) return { place: 'blocks', rule: 'must be a list' };
  if (blocks.length > MAX_BLOCKS) return { place: 'blocks', rule: `at most ${MAX_BLOCKS}` };
  for (const [index, each] of blocks.entries()) {
    const problem = isObject(each) ? shownProblem(each, `blocks[${index}]`) : undefined;
    if (problem) return problem;
  }
  return rowsProblem(version, [...blocks.entries()].filter(isRow));
}

type Row = [index: number, row: Fields & { type: string }];

function isRow(entry: [number, unknown]): entry is Row {
  return isObject(entry[1]) && ROWS.has(entry[1].type);
}

function rowsProblem(version: unknown, rows: readonly Row[]): Problem | undefined {
  for (const type of ROWS.keys())
    if (rows.filter(([, row]) => row.type === type).length > MAX_ROWS)
      return { place: 'blocks', rule: `at most ${MAX_ROWS} of type ${String(type)}` };
  if (rows.length > 0 && version !== 1)
    return { place: 'version', rule: 'must be the number 1 when there are interactive blocks' };
  for (const [index, row] of rows) {
    const problem = ROWS.get(row.type)?.(row, `blocks[${index}]`, {});
    if (problem) return problem;
  }
  return repeated(rows);
}

function repeated(rows: readonly Row[]): Problem | undefined {
  const seen = new Set<string>();
  let asksForFeedback = false;
  for (const [row, { elements }] of rows)
    for (const [index, { type, action_id: id }] of (elements as Element[]).entries()) {
      const place = `blocks[${row}].elements[${index}]`;
      if (seen.has(id)) return { place: `${place}.action_id`, rule: 'is used twice in this message' };
      seen.add(id);
      if (type !== 'feedback_buttons') continue;
      if (asksForFeedback) return { place, rule: 'at most 1 of type feedback_buttons in a message' };
      asksForFeedback = true;
    }
  return undefined;
}

interface Element {
  type: string;
  action_id: string;
}

/**
 * Builds `metadata_json` from blocks and other data to store with the message.
 * @throws LimitError with the place of the broken rule: `blocks[1].elements[0].text`
 */
export function metadataJson(blocks: readonly object[], more: Fields = {}): string {
  const metadata = { version: 1, ...more, blocks };
  checkMetadata(metadata);
  return JSON.stringify(metadata);
}

/** Checks hand-written metadata against the server's limits. @throws LimitError */
export function checkMetadata(metadata: object): void {
  throwIfProblem(metadataProblem(metadata as Fields));
}

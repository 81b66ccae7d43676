import type { ViewContent, ViewKind } from '@tieline/interactive';
import { flatBlocks } from '../blocks/find-element.js';
import { readBlocks, MAX_VIEW_BLOCKS } from '../blocks/read-blocks.js';
import {
  boolean,
  isObject,
  list,
  oneOf,
  optional,
  Place,
  plainText,
  shape,
  string,
} from '../blocks/rules.js';
import type { Json } from '../blocks/rules.js';
import { SlackError } from '../dispatcher/slack-error.js';

/** Maximum size of a view, as in Slack. */
const MAX_BYTES = 250_000;
const ERROR = 'invalid_arguments';
const ANY_BLOCK = shape({ type: string(255, { min: 1 }) });
const COMMON = {
  blocks: list(ANY_BLOCK, { min: 0, max: MAX_VIEW_BLOCKS }),
  callback_id: optional(string(255)),
  external_id: optional(string(255)),
  private_metadata: optional(string(3000)),
};
const RULES = {
  modal: shape({
    ...COMMON,
    title: plainText(24),
    submit: optional(plainText(24)),
    close: optional(plainText(24)),
    clear_on_close: optional(boolean),
    notify_on_close: optional(boolean),
    submit_disabled: optional(boolean),
  }),
  home: shape(COMMON),
} as const;
const KEPT = {
  modal: ['title', 'submit', 'close', 'clear_on_close', 'notify_on_close', 'submit_disabled'],
  home: [],
} as const;

/**
 * Reads a view that an app sent. Elements and blocks without ids get them.
 * @param warn receives what is not shown
 * @throws SlackError `invalid_arguments` with the place, `view_too_large`
 */
export function readView(given: unknown, kind: ViewKind, warn: (text: string) => void): ViewContent {
  const place = new Place('/view', ERROR, warn);
  if (!isObject(given)) return place.fail('must be an object');
  oneOf(kind)(given['type'], place.at('type'));
  RULES[kind](given, place);
  const reading = { max: MAX_VIEW_BLOCKS, error: ERROR, pointer: '/view/blocks', warn };
  const blocks = readBlocks(given['blocks'] as readonly Json[], reading);
  const hasInput = flatBlocks(blocks).some(({ type }) => type === 'input');
  if (kind === 'modal' && hasInput && !isObject(given['submit']))
    place.at('submit').fail('missing required field: a view with inputs needs submit');
  const externalId = (given['external_id'] as string | null | undefined) ?? '';
  const view: Record<string, unknown> = {
    type: kind,
    callback_id: given['callback_id'] ?? '',
    private_metadata: given['private_metadata'] ?? '',
    blocks,
  };
  for (const name of KEPT[kind]) if (given[name] != null) view[name] = given[name];
  const json = JSON.stringify(view);
  if (Buffer.byteLength(json) > MAX_BYTES) throw new SlackError('view_too_large');
  return { json, externalId: externalId === '' ? null : externalId };
}

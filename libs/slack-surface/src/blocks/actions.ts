import type { ElementValue } from './element-values.js';
import type { BlockElement } from './find-element.js';
import { isObject } from './rules.js';
import type { Json } from './rules.js';

/**
 * Returns an entry of `actions[]` in the payload of `block_actions`.
 * @param value of {@link readValue}, with ids in Slack's spelling
 * @param ts `action_ts`
 */
export function actionOf({ block, element }: BlockElement, value: ElementValue, ts: string): Json {
  const { type, action_id: actionId, value: own, text } = element;
  return {
    type,
    action_id: actionId,
    block_id: block['block_id'],
    ...(isObject(text) && { text }),
    ...(own !== undefined && { value: own }),
    ...value,
    action_ts: ts,
  };
}

import { invalidField } from '@tieline/platform/http';
import { hasState, readValue } from './element-values.js';
import type { ElementValue } from './element-values.js';
import { elementsIn } from './find-element.js';
import { isObject } from './rules.js';
import type { Json } from './rules.js';

/** `state.values` of a message or view: values with their `type`, by `block_id` and `action_id`. */
export type StateValues = Record<string, Record<string, ElementValue>>;

/**
 * Reads the state of blocks. Elements that the person did not change have their initial value.
 * Values of unknown elements are ignored, because the app may have replaced the blocks.
 * @param given `{[block_id]: {[action_id]: value}}`
 * @throws ApiError 400 that names the element
 */
export function readState(blocks: readonly Json[], given: unknown): StateValues {
  if (given !== undefined && given !== null && !isObject(given))
    throw invalidField('state', 'state must be an object');
  const values: StateValues = {};
  for (const { block, element } of elementsIn(blocks)) {
    if (!hasState(element)) continue;
    const [blockId, actionId] = [String(block['block_id']), String(element['action_id'])];
    const sent = own(own(given, blockId), actionId);
    const value = readValue(element, sent, `state.${blockId}.${actionId}`);
    const ofBlock = Object.hasOwn(values, blockId) ? values[blockId] : undefined;
    setOwn(values, blockId, setOwn(ofBlock ?? {}, actionId, { type: element['type'], ...value }));
  }
  return values;
}

function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Sets a field whose name comes from an app, such as `__proto__`. */
function setOwn<T extends object>(target: T, name: string, value: unknown): T {
  return Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

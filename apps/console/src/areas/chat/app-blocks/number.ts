import { text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import { heldBy, statefulElements } from './state.js';
import type { State } from './state.js';

/** Texts about wrong numbers. */
interface NumberWords {
  number: string;
  wholeNumber: string;
  atLeast: (least: string) => string;
  atMost: (most: string) => string;
}

/** Returns what is wrong with a value of a `number_input`, by the rules of the server. */
export function numberFault(element: Fields, typed: string, words: NumberWords): string | undefined {
  if (typed === '') return undefined;
  if (element.is_decimal_allowed !== true && !/^-?\d{1,20}$/.test(typed)) return words.wholeNumber;
  if (!/^-?\d{1,20}(?:\.\d{1,10})?$/.test(typed)) return words.number;
  const [least, most] = [text(element.min_value), text(element.max_value)];
  if (least !== '' && Number(typed) < Number(least)) return words.atLeast(least);
  return most !== '' && Number(typed) > Number(most) ? words.atMost(most) : undefined;
}

/** Returns what is wrong with the numbers in blocks, by `block_id`. */
export function numberFaults(
  blocks: readonly Fields[],
  state: State,
  words: NumberWords,
): Record<string, string> {
  const faults = statefulElements(blocks)
    .filter(({ element }) => element.type === 'number_input')
    .map(({ blockId, actionId, element }) => {
      const typed = heldBy('number_input', state[blockId]?.[actionId]);
      return [blockId, numberFault(element, text(typed), words)] as const;
    });
  return Object.fromEntries(faults.flatMap(([id, fault]) => (fault === undefined ? [] : [[id, fault]])));
}

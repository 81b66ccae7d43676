import type { BlockOptionsAnswer } from '../block-actions/block-options.view.js';
import { SlackError } from '../dispatcher/slack-error.js';
import { OPTION_GROUPS, OPTIONS } from './element-rules.js';
import { Place } from './rules.js';
import type { Json } from './rules.js';

/**
 * Reads the options that an app answers to `block_suggestion`.
 * @returns undefined for an answer that is not valid
 */
export function readSuggestions({
  options,
  option_groups: groups,
}: Json): Omit<BlockOptionsAnswer, 'ok'> | undefined {
  const at = new Place('', 'invalid_options', () => undefined);
  try {
    if (groups !== undefined) {
      OPTION_GROUPS(groups, at);
      return { option_groups: groups as object[] };
    }
    OPTIONS(options ?? [], at);
    return { options: (options ?? []) as object[] };
  } catch (error) {
    if (error instanceof SlackError) return undefined;
    throw error;
  }
}

import { bodyReader } from '@tieline/platform/http';
import { KeywordsConfigDto, MentionConfigDto } from '../dto/trigger-config.dto.js';

export const TRIGGERS = ['all', 'mention', 'keywords'] as const;

/** Which messages a subscription wants (contract, section Outgoing webhook subscription). */
export type Trigger = (typeof TRIGGERS)[number];

/** The stored and shown `trigger_config`: empty for `all`. */
export interface TriggerConfig {
  keywords?: string[];
  user_ids?: string[];
}

/** Where it stands in the body. */
const PLACE = 'trigger_config';
const readKeywords = bodyReader(KeywordsConfigDto);
const readMention = bodyReader(MentionConfigDto);

/**
 * Reads a `trigger_config` as its trigger demands (decisions, section 4): keywords lose the white
 * space at their ends, ids become lower case, what belongs to another trigger is dropped.
 *
 * @throws 400 when the shape is not that of the trigger
 */
export function parseTriggerConfig(
  trigger: Trigger,
  config: Readonly<Record<string, unknown>>,
): TriggerConfig {
  switch (trigger) {
    case 'all':
      return {};
    case 'mention': {
      const { user_ids: ids } = readMention(config, PLACE);
      return ids ? { user_ids: [...new Set(ids.map((id) => id.toLowerCase()))] } : {};
    }
    case 'keywords':
      return { keywords: readKeywords(config, PLACE).keywords.map((keyword) => keyword.trim()) };
  }
}

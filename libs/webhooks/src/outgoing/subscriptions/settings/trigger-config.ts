import { bodyReader } from '@tieline/platform/http';
import { KeywordsConfigDto, MentionConfigDto } from '../dto/trigger-config.dto.js';

export const TRIGGERS = ['all', 'mention', 'keywords'] as const;

/** Condition on the messages that a subscription receives. */
export type Trigger = (typeof TRIGGERS)[number];

/** `trigger_config` as stored and shown. Empty for `all`. */
export interface TriggerConfig {
  keywords?: string[];
  user_ids?: string[];
}

/** Name of the field in the body. */
const PLACE = 'trigger_config';
const readKeywords = bodyReader(KeywordsConfigDto);
const readMention = bodyReader(MentionConfigDto);

/**
 * Parses the `trigger_config` of a trigger. Trims keywords, converts ids to lower case, and drops
 * fields of other triggers.
 * @throws 400 when the shape does not fit the trigger
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

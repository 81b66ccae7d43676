import { badRequest, characters, isUuid } from '@tieline/platform/http';

export const TRIGGERS = ['all', 'mention', 'keywords'] as const;

/** Which messages a subscription wants (contract, section Outgoing webhook subscription). */
export type Trigger = (typeof TRIGGERS)[number];

/** The stored and shown `trigger_config`: empty for `all`. */
export interface TriggerConfig {
  keywords?: string[];
  user_ids?: string[];
}

const MAX_KEYWORDS = 20;
const KEYWORD_MIN = 2;
const KEYWORD_MAX = 100;
const MAX_USER_IDS = 100;

/**
 * Reads a `trigger_config` as its trigger demands (decisions, section 4): keywords lose the white space at their ends,
 * ids become lower case, what belongs to another trigger is dropped.
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
    case 'mention':
      return parseMention(config['user_ids']);
    case 'keywords':
      return { keywords: parseKeywords(config['keywords']) };
  }
}

function parseKeywords(value: unknown): string[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_KEYWORDS) {
    throw badRequest(`trigger_config.keywords must be a list of 1 to ${MAX_KEYWORDS} keywords`);
  }
  return value.map((keyword: unknown) => {
    const trimmed = typeof keyword === 'string' ? keyword.trim() : '';
    const count = characters(trimmed);
    if (count < KEYWORD_MIN || count > KEYWORD_MAX)
      throw badRequest(`each keyword must have ${KEYWORD_MIN} to ${KEYWORD_MAX} characters`);
    return trimmed;
  });
}

function parseMention(value: unknown): TriggerConfig {
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value) || value.length > MAX_USER_IDS || !value.every(isUuid)) {
    throw badRequest(`trigger_config.user_ids must be a list of up to ${MAX_USER_IDS} uuids`);
  }
  return { user_ids: [...new Set(value.map((id) => id.toLowerCase()))] };
}

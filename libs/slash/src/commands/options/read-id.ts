import { isUuid } from '@tieline/platform/http';

const MENTION = /^<@([0-9a-f-]{36})>$/i;

/** The id that a person gave, also as a mention, in lower case; undefined where it is none. */
export function readId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const id = MENTION.exec(value)?.[1] ?? value;
  return isUuid(id) ? id.toLowerCase() : undefined;
}

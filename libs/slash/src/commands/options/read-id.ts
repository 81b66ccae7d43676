import { isUuid } from '@tieline/platform/http';

const MENTION = /^<@([0-9a-f-]{36})>$/i;

/** Returns the id from a plain id or a mention, in lower case; undefined if the text is neither. */
export function readId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const id = MENTION.exec(value)?.[1] ?? value;
  return isUuid(id) ? id.toLowerCase() : undefined;
}

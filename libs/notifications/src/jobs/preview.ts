import { isBlankText } from '@tieline/platform/http';
import type { MessageView } from '@tieline/conversations';
import { plainText } from './plain-text.js';

/** Maximum length of a preview in characters. A push carries at most 4 KiB. */
const MAX_PREVIEW = 300;
/**
 * Number of source characters that are rendered. Markup and addresses count, although they are not
 * shown.
 */
const MAX_SOURCE = 1000;

/**
 * Returns the text that a push shows of a message: its text without Markdown markup, or the first
 * words of its rich parts.
 */
export function previewOf({
  text,
  metadata_json: json,
}: Pick<MessageView, 'text' | 'metadata_json'>): string {
  const source = isBlankText(text) ? firstWords(json) : text;
  const words = plainText(source.slice(0, MAX_SOURCE)).trim();
  const characters = [...words];
  return characters.length <= MAX_PREVIEW ? words : `${characters.slice(0, MAX_PREVIEW - 1).join('')}…`;
}

function firstWords(json: string | undefined): string {
  const metadata = parse(json);
  const attachment = objects(metadata['attachments'])[0] ?? {};
  const block = objects(metadata['blocks']).find(({ text }) => typeof text === 'object' && text !== null);
  const words = [
    attachment['fallback'],
    attachment['title'],
    attachment['text'],
    (block?.['text'] as Record<string, unknown> | undefined)?.['text'],
  ];
  return words.find((word): word is string => typeof word === 'string') ?? '';
}

function parse(json: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value)
    ? value.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
    : [];
}

import { markdownParser } from '@tieline/markup';
import type { Token } from '@tieline/markup';

/** Replaces Markdown between two pieces of text. It belongs to no word and no mention. */
const SEPARATOR = '\u0001';
/** Replaces a character that was escaped or written as an entity, so that it starts no mention. */
const LITERAL = '\u0002';

/**
 * The Markdown syntax of messages, without tables. Tables of empty cells are slow to parse, and
 * cells count as text anyway.
 */
const markdown = markdownParser().disable('table');

/**
 * Returns the parts of a Markdown text in which mentions count: not code, block quotes, links and
 * addresses. Markup is replaced by a separator, escaped characters by a placeholder that starts no
 * mention.
 */
export function mentionableText(text: string): string {
  const parts: string[] = [];
  let quotes = 0;
  for (const token of markdown.parse(text, {})) {
    if (token.type === 'blockquote_open') quotes += 1;
    else if (token.type === 'blockquote_close') quotes -= 1;
    else if (token.type === 'inline' && quotes === 0) parts.push(inlineText(token.children ?? []));
  }
  return parts.join('\n');
}

function inlineText(tokens: readonly Token[]): string {
  let text = '';
  let links = 0;
  for (const { type, content } of tokens) {
    if (type === 'link_open') links += 1;
    if (type === 'link_close') links -= 1;
    if (type === 'text' && links === 0) text += content;
    else if (type === 'text_special' && links === 0) text += content.replace(/[@<>]/g, LITERAL);
    else text += SEPARATOR;
  }
  return text;
}

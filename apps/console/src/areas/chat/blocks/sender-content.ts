import { convertMarkup } from '@tieline/markup';
import { objects } from './metadata.js';
import type { Fields, RichContent } from './metadata.js';

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * Converts blocks and attachments of an incoming webhook, which are stored unchanged, to Markdown
 * and plain text. The server has already converted the message's text.
 */
export function fromSender({ blocks, attachments, ...rest }: RichContent): RichContent {
  const converted = (text: string) => convertMarkup(text, rest.dialect);
  return {
    ...rest,
    blocks: blocks.map((one) => block(one, converted)),
    attachments: attachments.map((one) => attachment(one, converted)),
  };
}

type Convert = (text: string) => string;

function attachment(fields: Fields, converted: Convert): Fields {
  return {
    ...fields,
    ...each(fields, ['pretext', 'text', 'fallback'], converted),
    ...each(fields, ['title', 'author_name', 'footer'], decoded),
    fields: objects(fields.fields).map((field) => ({
      ...field,
      ...each(field, ['title'], decoded),
      ...each(field, ['value'], converted),
    })),
    blocks: objects(fields.blocks).map((one) => block(one, converted)),
  };
}

function block(fields: Fields, converted: Convert): Fields {
  const element = (value: unknown) => textElement(value, converted);
  return {
    ...fields,
    text: element(fields.text),
    title: element(fields.title),
    fields: objects(fields.fields).map(element),
    elements: objects(fields.elements).map((one) =>
      one.type === 'mrkdwn' || one.type === 'plain_text' ? element(one) : one,
    ),
  };
}

/** Converts a `{type, text}` element. */
function textElement(value: unknown, converted: Convert): unknown {
  if (typeof value === 'string') return decoded(value);
  if (typeof value !== 'object' || value === null) return value;
  const element = value as Fields;
  return { ...element, ...each(element, ['text'], element.type === 'mrkdwn' ? converted : decoded) };
}

/** Decodes the three characters that Slack encodes in every text. */
function decoded(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}

function each(fields: Fields, names: readonly string[], change: Convert): Fields {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name];
      return typeof value === 'string' ? [[name, change(value)]] : [];
    }),
  );
}

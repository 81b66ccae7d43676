import { convertMarkup } from '@tieline/markup';
import { uuidOf } from '../ids/slack-ids.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the answer to a command in Tieline's words: an object or a text, or undefined if the app
 * only acknowledged. A value that is no answer stays, so that it is refused as every other.
 */
export function commandAnswer(answer: unknown): unknown {
  if (answer === undefined || answer === null || answer === '') return undefined;
  if (typeof answer === 'string') return { response_type: 'ephemeral', text: markdownOf(answer) };
  if (!isObject(answer)) return answer;
  const { response_type: type } = answer;
  const text = textOf(answer);
  if (text === undefined) return Object.keys(answer).length === 0 ? undefined : answer;
  return { response_type: type === 'in_channel' ? 'in_channel' : 'ephemeral', text };
}

/**
 * Returns the text of a message in Slack's format as Markdown: its own, or else that of its blocks
 * and attachments. Undefined if there is none.
 */
export function textOf({ text, mrkdwn, blocks, attachments }: Json): string | undefined {
  if (typeof text === 'string' && text !== '') return mrkdwn === false ? text : markdownOf(text);
  const parts = [...listOf(blocks).flatMap(textsOfBlock), ...listOf(attachments).flatMap(textsOfAttachment)];
  const joined = parts.filter((part) => part !== '').join('\n\n');
  return joined === '' ? undefined : markdownOf(joined);
}

const MENTION = /<@([A-Z0-9]+)(?:\|[^<>]*)?>/g;

/** Converts Slack's markup. Mentions get Tieline's ids; unknown ones stay unchanged. */
function markdownOf(text: string): string {
  const known = text.replaceAll(MENTION, (mention, id: string) => {
    const uuid = uuidOf(id, 'user');
    return uuid === undefined ? mention : `<@${uuid}>`;
  });
  return convertMarkup(known, 'slack');
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);
const textInObject = (value: unknown): string[] => (isObject(value) ? textIn(value['text']) : []);

function textsOfBlock(block: Json): string[] {
  switch (block['type']) {
    case 'section':
      return [...textInObject(block['text']), ...listOf(block['fields']).flatMap(textInObject)];
    case 'header':
      return textInObject(block['text']).map((text) => `*${text}*`);
    case 'context':
      return listOf(block['elements']).flatMap(({ text }) => textIn(text));
    case 'markdown':
      return textIn(block['text']);
    case 'rich_text':
      return [richText(block)];
    case 'image':
      return textIn(block['alt_text']);
    default:
      return [];
  }
}

/** Returns the text of rich text without its styles. */
function richText(node: Json): string {
  const { type, text, url, elements } = node;
  if (type === 'user' && typeof node['user_id'] === 'string') return `<@${node['user_id']}>`;
  if (typeof text === 'string') return text;
  if (typeof url === 'string') return url;
  return listOf(elements)
    .map(richText)
    .join(type === 'rich_text' ? '\n' : '');
}

function textsOfAttachment({ pretext, title, text, fallback, fields }: Json): string[] {
  const values = listOf(fields).map((field) => [field['title'], field['value']].flatMap(textIn).join(': '));
  const shown = [...textIn(pretext), ...textIn(title), ...textIn(text), ...values];
  return shown.length > 0 ? shown : textIn(fallback);
}

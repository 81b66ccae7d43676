import type { ActionsBlockDto } from '../api/types.gen.js';
import { block } from './metadata-rules.js';
import { requireNone } from './rules.js';

/** A text of a block. */
export interface TextPart {
  readonly type: 'plain_text' | 'mrkdwn';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  readonly image_url: string;
  readonly alt_text: string;
}

export interface SectionOptions {
  /** Up to 10 short texts beside each other. */
  readonly fields?: readonly (string | TextPart)[];
  readonly accessory?: ImagePart;
}

const plain = (text: string): TextPart => ({ type: 'plain_text', text });
const markdown = (text: string): TextPart => ({ type: 'mrkdwn', text });
const asPart = <Part extends object>(part: string | Part) =>
  typeof part === 'string' ? markdown(part) : part;

function checked<Block extends { type: string }>(made: Block): Block {
  requireNone(block(made, made.type, {}));
  return made;
}

/**
 * What a message is made of: `client.messages.send({ …, blocks: [...] })`. Each throws a
 * `LimitError` that names what breaks a rule.
 */
export const blocks = {
  /** A text as it is, where a block takes either kind. */
  plain,
  /** A text with Markdown. */
  markdown,

  /** A heading. */
  header: (text: string) => checked({ type: 'header' as const, text: plain(text) }),

  /** A paragraph of Markdown. */
  section: (text: string | TextPart, { fields, accessory }: SectionOptions = {}) =>
    checked({
      type: 'section' as const,
      text: asPart(text),
      ...(fields && { fields: fields.map(asPart) }),
      ...(accessory && { accessory }),
    }),

  /** Small print: up to 10 texts or images. */
  context: (...parts: readonly (string | TextPart | ImagePart)[]) =>
    checked({ type: 'context' as const, elements: parts.map(asPart) }),

  /** A picture from an https address; `alt_text` for whoever does not see it. */
  image: (image_url: string, alt_text: string, title?: string) =>
    checked({
      type: 'image' as const,
      image_url,
      alt_text,
      ...(title !== undefined && { title: plain(title) }),
    }),

  /** A line. */
  divider: () => ({ type: 'divider' as const }),

  /** A row of up to five `elements`. A message has five rows at most, and each `action_id` once. */
  actions: (...elements: ActionsBlockDto['elements']): ActionsBlockDto =>
    checked({ type: 'actions', elements }),
};

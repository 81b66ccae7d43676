import type { ActionsBlockDto, ContextActionsBlockDto } from '../api/types.gen.js';
import { block } from './metadata-rules.js';
import { throwIfProblem } from './rules.js';

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
  throwIfProblem(block(made, made.type, {}));
  return made;
}

/**
 * Builders of message blocks: `client.messages.send({ …, blocks: [...] })`. They throw a
 * `LimitError` that names the broken rule.
 */
export const blocks = {
  /** A plain text, for blocks that accept either kind. */
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

  /** An image from an https address. `alt_text` describes it for people who cannot see it. */
  image: (image_url: string, alt_text: string, title?: string) =>
    checked({
      type: 'image' as const,
      image_url,
      alt_text,
      ...(title !== undefined && { title: plain(title) }),
    }),

  /** A horizontal line. */
  divider: () => ({ type: 'divider' as const }),

  /** A row of up to five `elements`. A message may have five rows and use each `action_id` once. */
  actions: (...elements: ActionsBlockDto['elements']): ActionsBlockDto =>
    checked({ type: 'actions', elements }),

  /** Up to five small actions below a message: `elements.feedback` and `elements.iconButton`. */
  contextActions: (...elements: ContextActionsBlockDto['elements']): ContextActionsBlockDto =>
    checked({ type: 'context_actions', elements }),
};

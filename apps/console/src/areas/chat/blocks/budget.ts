import { countNodes, limitedNodes, MAX_NODES } from '../markdown/limited.js';
import { asFields, objects, text } from './metadata.js';
import type { Fields, RichContent } from './metadata.js';

/** Maximum number of elements rendered around the texts of a part. */
const AROUND = { attachment: 12, block: 8, element: 8, field: 5, button: 3 };

/**
 * The part of a message that is rendered, and the texts of the rest, which are shown as plain text.
 */
interface DrawnContent extends RichContent {
  rest: string;
}

/**
 * Cuts the blocks, attachments and buttons of a message to `limit` nodes. `rest` holds the texts of
 * the parts that do not fit.
 *
 * @param shownText the Markdown above the parts
 */
export function withinBudget(shownText: string, content: RichContent, limit = MAX_NODES): DrawnContent {
  const budget = new Budget(limit - costOfMarkdown(shownText));
  const blocks = budget.taken(content.blocks, costOfBlock);
  const attachments = budget.taken(content.attachments, costOfAttachment);
  const buttons = budget.taken(content.buttons, () => AROUND.button);
  const left = [
    ...content.blocks.slice(blocks.length),
    ...content.attachments.slice(attachments.length),
    ...content.buttons.slice(buttons.length),
  ];
  return { ...content, blocks, attachments, buttons, rest: left.flatMap((part) => wordsOf(part)).join('\n') };
}

class Budget {
  constructor(private left: number) {}

  /** Returns the parts up to the first one that does not fit. */
  taken<Part>(parts: readonly Part[], costOf: (part: Part) => number): Part[] {
    const taken: Part[] = [];
    for (const part of parts) {
      this.left -= this.left < 0 ? 0 : costOf(part);
      if (this.left < 0) break;
      taken.push(part);
    }
    return taken;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const costOfMarkdown = (value: string): number => (value === '' ? 0 : 1 + countNodes(limitedNodes(value)));

function costOfAttachment(attachment: Fields): number {
  return (
    AROUND.attachment +
    sum(['pretext', 'text', 'fallback'].map((name) => costOfMarkdown(text(attachment[name])))) +
    sum(objects(attachment.fields).map((field) => AROUND.field + costOfMarkdown(text(field.value)))) +
    sum(objects(attachment.blocks).map(costOfBlock))
  );
}

function costOfBlock(block: Fields): number {
  const texts = [block.text, ...objects(block.fields), ...objects(block.elements).filter(isText)];
  return (
    AROUND.block +
    sum(texts.map((one) => costOfMarkdown(text(one)))) +
    AROUND.element * objects(block.elements).length
  );
}

const isText = (element: Fields): boolean => element.type === 'mrkdwn' || element.type === 'plain_text';

/** Names of fields that contain texts for people. */
const WORDS = ['pretext', 'author_name', 'title', 'text', 'fallback', 'value', 'alt_text', 'footer', 'url'];

export function wordsOf(part: unknown): string[] {
  const fields = asFields(part);
  const own = WORDS.flatMap((name) => (text(fields[name]) === '' ? [] : [text(fields[name])]));
  const nested = ['fields', 'blocks', 'elements'].flatMap((name) => objects(fields[name]).flatMap(wordsOf));
  return [...new Set(own), ...nested];
}

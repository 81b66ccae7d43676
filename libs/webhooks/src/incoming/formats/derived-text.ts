import type { Dialect } from '@tieline/markup';
import { convertMarkup } from '@tieline/markup';
import type { RichAttachment } from './rich-attachments.js';
import type { RichBlock } from './rich-blocks.js';

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a message besides its text. */
export interface RichParts {
  blocks: readonly RichBlock[] | undefined;
  attachments: readonly RichAttachment[] | undefined;
}

/**
 * Derives a text for a message sent without one, so that keywords, pushes, previews and search have
 * something to read. Uses the texts of the blocks, then of the attachments. If there are none, uses
 * the attachments' fallbacks, then the alternative texts of images. Converts the markup of each
 * text and puts each on a separate line.
 */
export function derivedText({ blocks = [], attachments = [] }: RichParts, dialect?: Dialect): string {
  const sources = [
    () => [...blocks.flatMap(wordsOfBlock), ...attachments.flatMap(wordsOfAttachment)],
    () => attachments.map((attachment) => attachment['fallback']),
    () =>
      [...blocks, ...attachments.flatMap((attachment) => objects(attachment['blocks']))].flatMap(imagesOf),
  ];
  for (const source of sources) {
    const text = lines(source(), dialect);
    if (text !== '') return text;
  }
  return '';
}

function lines(words: readonly unknown[], dialect?: Dialect): string {
  return words
    .map((word) => (typeof word === 'string' ? convertMarkup(word, dialect).trim() : ''))
    .filter((word) => word !== '')
    .join('\n');
}

function wordsOfBlock({ text, fields, elements }: Fields): unknown[] {
  return [text, ...objects(fields), ...objects(elements)].map(
    (element) => (element as Fields | undefined)?.['text'],
  );
}

function wordsOfAttachment({ blocks, pretext, title, text, fields }: Fields): unknown[] {
  return [...objects(blocks).flatMap(wordsOfBlock), pretext, title, text, ...objects(fields).map(fieldLine)];
}

function fieldLine({ title, value }: Fields): string {
  return [title, value].filter((part) => part !== undefined).join(': ');
}

function imagesOf({ type, alt_text: own, accessory, elements }: Fields): unknown[] {
  const within = [accessory as Fields | undefined, ...objects(elements)];
  return [type === 'image' ? own : undefined, ...within.map((element) => element?.['alt_text'])];
}

function objects(list: unknown): Fields[] {
  return (list as Fields[] | undefined) ?? [];
}

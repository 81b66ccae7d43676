import { present } from './fields.js';
import type { FieldReader } from './fields.js';
import { blockButton } from './link-buttons.js';
import type { LinkButton } from './link-buttons.js';

const MAX_BLOCKS = 50;
const MAX_SECTION_FIELDS = 10;
const MAX_ELEMENTS = 10;

export interface TextElement {
  type: 'plain_text' | 'mrkdwn';
  text: string;
}

export interface ImageElement {
  type: 'image';
  image_url: string;
  alt_text?: string;
}

/** A block as history answers it (contract, Rich message metadata). */
export type RichBlock = { type: string } & Record<string, unknown>;

/**
 * The blocks of a message or an attachment, without what is not known, not complete or not safe. Nothing of a webhook is
 * interactive: buttons that lead somewhere go to `buttons`, others are dropped.
 */
export function readBlocks(of: FieldReader, buttons: LinkButton[]): RichBlock[] | undefined {
  const blocks = of.objects('blocks', MAX_BLOCKS).flatMap((block) => readBlock(block, buttons) ?? []);
  return blocks.length > 0 ? blocks : undefined;
}

function readBlock(block: FieldReader, buttons: LinkButton[]): RichBlock | undefined {
  const type = block.string('type');
  if (type === 'header') return withText(type, block);
  if (type === 'section') return readSection(block, buttons);
  if (type === 'divider') return { type };
  if (type === 'context') return readContext(block);
  if (type === 'image') return readImageBlock(block);
  if (type === 'actions') buttons.push(...block.objects('elements', MAX_ELEMENTS).flatMap((element) => blockButton(element) ?? []));
  return undefined;
}

function withText(type: string, block: FieldReader): RichBlock | undefined {
  const text = readText(block, 'text', 'plain_text');
  return text && { type, text };
}

function readSection(block: FieldReader, buttons: LinkButton[]): RichBlock | undefined {
  const accessory = block.object('accessory');
  const button = accessory && blockButton(accessory);
  if (button) buttons.push(button);
  const fields = block.objects('fields', MAX_SECTION_FIELDS).flatMap((field) => textElement(field) ?? []);
  const section = present({
    text: readText(block, 'text'),
    fields: fields.length > 0 ? fields : undefined,
    accessory: accessory?.value('type') === 'image' ? readImage(accessory) : undefined,
  });
  return Object.keys(section).length > 0 ? { type: 'section', ...section } : undefined;
}

function readContext(block: FieldReader): RichBlock | undefined {
  const elements = block
    .objects('elements', MAX_ELEMENTS)
    .flatMap((element): (TextElement | ImageElement)[] => [element.value('type') === 'image' ? readImage(element) : textElement(element)].filter((read) => read !== undefined));
  return elements.length > 0 ? { type: 'context', elements } : undefined;
}

function readImage(element: FieldReader): ImageElement | undefined {
  const address = element.address('image_url');
  return address === undefined ? undefined : { type: 'image', image_url: address, ...present({ alt_text: element.text('alt_text') }) };
}

function readImageBlock(block: FieldReader): RichBlock | undefined {
  const image = readImage(block);
  return image && { ...image, ...present({ title: readText(block, 'title', 'plain_text') }) };
}

function readText(of: FieldReader, name: string, type?: TextElement['type']): TextElement | undefined {
  const element = of.object(name);
  return element && textElement(element, type);
}

function textElement(element: FieldReader, only?: TextElement['type']): TextElement | undefined {
  const text = element.text('text');
  if (text === undefined) return undefined;
  return { type: only ?? (element.value('type') === 'mrkdwn' ? 'mrkdwn' : 'plain_text'), text };
}
